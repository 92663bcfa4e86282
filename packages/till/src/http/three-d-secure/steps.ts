import { type Answer, seeOther } from '@tillkit/express-middleware/core'
import { methodTimeLimit, threeDSCompInd, threeDSMethodData } from '@tillkit/protocol'
import type { SecuredSoFar } from '../../intents/customers/secure.js'
import { addressPage, bankPage, gatewayPage, methodPage, waitingPage } from '../../pages/three-d-secure.js'
import type { ThreeDSecureProgress } from '../../state/known.js'
import { uploadMethodResult } from './upload.js'
import { noteDone, type Standing, type StepOf, stepKey, track, type Visit } from './visit.js'

/** How often the waiting page looks again, and how long it waits in between, in seconds. */
const maxLooks = 20
const pauseBetweenLooks = 2

/** Sends the customer to the till's page of the payment. */
export const leave = async (visit: Visit): Promise<Answer> => seeOther(await visit.pagePath(visit))

/**
 * Shows what comes next: the page of the payment once the order is over, the page of a step, or the one to wait at. Once its result was
 * uploaded a step is over, however long status goes on showing it.
 *
 * @param looks How often the waiting page has looked again.
 */
export async function showNext(visit: Visit, standing: Standing | undefined, looks: number): Promise<Answer> {
  if (standing === undefined || standing.isOver || visit.isExpired) return leave(visit)
  const { step } = standing
  if (step === undefined) return waitOrLeave(visit, looks)
  const key = stepKey(step)
  const soFar = await track(visit, before => (step.kind === 'method' ? begun(step, before) : {}))
  if (soFar.progress.done.includes(key)) {
    // The gateway's page is shown once by itself; a customer who comes back too early can go there again at the press of a button.
    const bankUrl = step.kind === 'gateway-run' ? (step.redirectTo ?? visit.addressOf('again')) : undefined
    return waitOrLeave(visit, looks, bankUrl)
  }
  switch (step.kind) {
    case 'method':
      return showMethod(visit, step, { standing, looks, ...soFar })
    case 'challenge':
      return bankPage(step.acsUrl, { creq: step.creq }, visit.voice)
    case 'pares':
      // The protocol of 3DS 1.0.2 wants all three, even if they are empty.
      return bankPage(step.acsUrl, { PaReq: step.paReq, MD: step.md ?? '', TermUrl: visit.addressOf() }, visit.voice)
    case 'gateway-run':
      return openGateway(visit, step)
    case 'unusable': {
      const explanation = `Order ${visit.clientOrderId}: ${step.explanation}`
      visit.warn('WARN_3D_SECURE_STUCK', { explanation })
      return leave(visit)
    }
  }
}

/** A page that looks again by itself, a while; then the page of the payment, which says that it is being checked. */
async function waitOrLeave(visit: Visit, looks: number, bankUrl?: string): Promise<Answer> {
  if (looks >= maxLooks) return leave(visit)
  const url = `${visit.addressOf()}?look=${looks + 1}`
  return waitingPage({ url, seconds: pauseBetweenLooks }, bankUrl, visit.voice)
}

/** A 3DS method that is shown for the first time begins now. */
function begun(step: StepOf<'method'>, { progress, at }: SecuredSoFar): Partial<ThreeDSecureProgress> {
  const { methodUrl, threeDSServerTransId: id = '' } = step
  const isNew = methodUrl !== undefined && progress.method?.id !== id && !progress.done.includes(stepKey(step))
  return isNew ? { method: { id, startedAt: at } } : {}
}

async function showMethod(
  visit: Visit,
  step: StepOf<'method'>,
  { standing, looks, progress, at: now }: SecuredSoFar & { readonly standing: Standing; readonly looks: number },
): Promise<Answer> {
  const { methodUrl, threeDSServerTransId: id = '' } = step
  const method = progress.method?.id === id ? progress.method : { id, startedAt: now }
  const indicator = threeDSCompInd({ ...method, methodUrlGiven: methodUrl !== undefined, now })
  if (indicator === undefined && methodUrl !== undefined) {
    const frame = {
      methodUrl,
      threeDSMethodData: threeDSMethodData({ threeDSServerTransId: id, notificationUrl: visit.addressOf('notify') }),
      doneUrl: visit.addressOf('method'),
      selfUrl: visit.addressOf(),
      timeLeft: methodTimeLimit - (now - method.startedAt),
    }
    return methodPage(frame, visit.voice)
  }
  const upload = (threeDSCompInd: 'Y' | 'N' | 'U') => uploadMethodResult(visit, { threeDSCompInd, step }, standing)
  const end = await upload(indicator ?? 'N')
  // A gateway that counts for itself may refuse a `Y` that comes a moment late: it is told `N` then.
  const isTaken = end === 'taken' || (end === 'open' && indicator === 'Y' && (await upload('N')) === 'taken')
  return isTaken ? seeOther(visit.addressOf()) : waitOrLeave(visit, looks)
}

/** Shows the gateway's page. */
export async function openGateway(visit: Visit, step: StepOf<'gateway-run'>): Promise<Answer> {
  await noteDone(visit, stepKey(step))
  return step.redirectTo === undefined ? gatewayPage(step.html ?? '') : addressPage(step.redirectTo, visit.voice)
}

import {
  methodTimeLimit,
  notify,
  type ThreeDSecureProgress,
  threeDSCompInd,
  threeDSMethodData,
} from '@tillkit/protocol'
import type { OutcomeView } from '../customer-return/options.js'
import { outcomeView, pageFor } from '../customer-return/visit.js'
import { type Answer, seeOther } from '../http/answer.js'
import { addressPage, bankPage, gatewayPage, methodPage, waitingPage } from './pages/pages.js'
import { uploadMethodResult } from './upload.js'
import { noteDone, noteProgress, progressOf, type Standing, type StepOf, stepKey, type Visit } from './visit.js'

/** How often the waiting page looks again, and how long it waits in between, in seconds. */
const maxLooks = 20
const pauseBetweenLooks = 2

/** Sends the customer to the merchant's page of the order. */
export const leave = async ({ options, clientOrderId }: Visit, view: OutcomeView): Promise<Answer> =>
  seeOther(await pageFor(options, { clientOrderId, view }))

/**
 * Shows what comes next: the order's page once it is over, the page of a step, or the one to wait at. Once its result was
 * uploaded a step is over, however long status goes on showing it.
 */
export async function showNext(visit: Visit, standing: Standing | undefined, looks: number): Promise<Answer> {
  if (standing === undefined || visit.isExpired) return leave(visit, 'checking')
  const { settlement, isOver, step } = standing
  if (isOver) return leave(visit, outcomeView(settlement))
  if (step === undefined) return waitOrLeave(visit, looks)
  const standingAt = await progressOf(visit)
  if (standingAt.progress.done.includes(stepKey(step))) {
    // The gateway's page is shown once by itself; a customer who comes back too early can go there again at the press of a button.
    const bankUrl = step.kind === 'gateway-run' ? (step.redirectTo ?? visit.addressOf('again')) : undefined
    return waitOrLeave(visit, looks, bankUrl)
  }
  switch (step.kind) {
    case 'method':
      return showMethod(visit, step, { standing, looks, ...standingAt })
    case 'challenge':
      return bankPage(step.acsUrl, { creq: step.creq }, visit.voice)
    case 'pares':
      // The protocol of 3DS 1.0.2 wants all three, even where they are empty.
      return bankPage(step.acsUrl, { PaReq: step.paReq, MD: step.md ?? '', TermUrl: visit.addressOf() }, visit.voice)
    case 'gateway-run':
      return openGateway(visit, step)
    case 'unusable': {
      const { clientOrderId, options, request } = visit
      notify(() => options.onProblem?.({ clientOrderId, explanation: step.explanation }, request))
      return leave(visit, 'checking')
    }
  }
}

/** A page that looks again by itself, a while; then the order's page, which says that it is being checked. */
async function waitOrLeave(visit: Visit, looks: number, bankUrl?: string): Promise<Answer> {
  if (looks >= maxLooks) return leave(visit, 'checking')
  const nextUrl = new URL(visit.addressOf())
  nextUrl.searchParams.set('look', String(looks + 1))
  return waitingPage({ url: nextUrl.href, seconds: pauseBetweenLooks }, bankUrl, visit.voice)
}

async function showMethod(
  visit: Visit,
  step: StepOf<'method'>,
  {
    standing,
    looks,
    progress,
    at: now,
  }: { standing: Standing; looks: number; progress: ThreeDSecureProgress; at: number },
): Promise<Answer> {
  const { methodUrl, threeDSServerTransId } = step
  const id = threeDSServerTransId ?? ''
  const method = progress.method?.id === id ? progress.method : { id, startedAt: now }
  const indicator = threeDSCompInd({ ...method, methodUrlGiven: methodUrl !== undefined, now })
  if (indicator === undefined && methodUrl !== undefined) {
    if (progress.method !== method) await noteProgress(visit, at => ({ method: { id, startedAt: at } }))
    const notificationUrl = visit.addressOf('notify')
    const frame = {
      methodUrl,
      threeDSMethodData: threeDSMethodData({ threeDSServerTransId: id, notificationUrl }),
      doneUrl: visit.addressOf('method'),
      selfUrl: visit.addressOf(),
      timeLeft: methodTimeLimit - (now - method.startedAt),
    }
    return methodPage(frame, visit.voice)
  }
  const upload = (result: 'Y' | 'N' | 'U') => uploadMethodResult(visit, { threeDSCompInd: result, step }, standing)
  const isDone = async () => (await progressOf(visit)).progress.done.includes(stepKey(step))
  // A gateway that counts for itself may refuse a `Y` that comes a moment late: it is told `N` then.
  const isTaken = (await upload(indicator ?? 'N')) || (indicator === 'Y' && !(await isDone()) && (await upload('N')))
  return isTaken ? seeOther(visit.addressOf()) : waitOrLeave(visit, looks)
}

/** Shows the gateway's page. */
export async function openGateway(visit: Visit, step: StepOf<'gateway-run'>): Promise<Answer> {
  await noteDone(visit, stepKey(step))
  return step.redirectTo === undefined ? gatewayPage(step.html ?? '') : addressPage(step.redirectTo, visit.voice)
}

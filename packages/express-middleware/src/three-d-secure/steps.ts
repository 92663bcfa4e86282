/**
 * What a customer is shown next.
 *
 * @module
 */
import { type CustomerStep, methodTimeLimit, notify, threeDSCompInd, threeDSMethodData } from '@tillkit/protocol'
import { pageFor } from '../customer-return/visit.js'
import { type Answer, seeOther } from '../http/answer.js'
import { type OutcomeView, outcomeView } from '../outcomes/received.js'
import { addressPage, bankPage, gatewayPage, methodPage, waitingPage } from './pages/pages.js'
import { uploadMethodResult } from './upload.js'
import { noteDone, progressOf, type Standing, stepKey, type Visit } from './visit.js'

/** How often the waiting page looks again, and how long it waits in between, in seconds. */
const maxLooks = 20
const pauseBetweenLooks = 2

/** Sends the customer to the merchant's page of the order. */
export const leave = (visit: Visit, view: OutcomeView): Answer =>
  seeOther(pageFor(visit.options, { clientOrderId: visit.clientOrderId, view }))

/** Shows what comes next: the order's page once it is over, the page of a step, or the one to wait at. */
export async function showNext(visit: Visit, standing: Standing | undefined, looks: number): Promise<Answer> {
  if (standing === undefined || visit.isExpired) return leave(visit, 'checking')
  const { settlement, isOver, step } = standing
  if (isOver) return leave(visit, outcomeView(settlement))
  if (step === undefined) return waitOrLeave(visit, { looks })
  switch (step.kind) {
    case 'method':
      return showMethod(visit, { step, standing, looks })
    case 'challenge':
      return showBank(visit, { step, looks, action: step.acsUrl, fields: { creq: step.creq } })
    case 'pares': {
      // The protocol of 3DS 1.0.2 wants all three, whatever is in them.
      const fields = { PaReq: step.paReq, MD: step.md ?? '', TermUrl: visit.addressOf() }
      return showBank(visit, { step, looks, action: step.acsUrl, fields })
    }
    case 'gateway-run':
      return followGateway(visit, { step, looks })
    case 'unusable': {
      const { clientOrderId, options, request } = visit
      notify(() => options.onProblem?.({ clientOrderId, explanation: step.explanation }, request))
      return leave(visit, 'checking')
    }
  }
}

/** A page that looks again by itself, a while; then the order's page, which says that it is being checked. */
function waitOrLeave(
  visit: Visit,
  { looks, bankUrl }: { readonly looks: number; readonly bankUrl?: string | undefined },
): Answer {
  if (looks >= maxLooks) return leave(visit, 'checking')
  const nextUrl = new URL(visit.addressOf())
  nextUrl.searchParams.set('look', String(looks + 1))
  return waitingPage({ nextUrl: nextUrl.href, seconds: pauseBetweenLooks, bankUrl }, visit.voice)
}

type StepOf<Name extends CustomerStep['kind']> = Extract<CustomerStep, { readonly kind: Name }>

interface Bank {
  readonly step: CustomerStep
  readonly looks: number
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Once its result was uploaded a step is over, however long status goes on showing it. */
async function showBank(visit: Visit, { step, looks, action, fields }: Bank): Promise<Answer> {
  const { done } = await progressOf(visit)
  if (done.includes(stepKey(step))) return waitOrLeave(visit, { looks })
  return bankPage({ action, fields }, visit.voice)
}

interface Method {
  readonly step: StepOf<'method'>
  readonly standing: Standing
  readonly looks: number
}

async function showMethod(visit: Visit, { step, standing, looks }: Method): Promise<Answer> {
  const { methodUrl, threeDSServerTransId } = step
  const current = await progressOf(visit)
  if (current.done.includes(stepKey(step))) return waitOrLeave(visit, { looks })
  const now = visit.clock()
  const id = threeDSServerTransId ?? ''
  const method = current.method?.id === id ? current.method : { id, startedAt: now }
  const indicator = threeDSCompInd({ ...method, methodUrlGiven: methodUrl !== undefined, now })
  if (indicator === undefined && methodUrl !== undefined) {
    if (current.method !== method) await visit.progress.save(visit.clientOrderId, { ...current, method })
    return methodPage(
      {
        methodUrl,
        threeDSMethodData: threeDSMethodData({
          threeDSServerTransId: id,
          notificationUrl: visit.addressOf('notify'),
        }),
        doneUrl: visit.addressOf('method'),
        selfUrl: visit.addressOf(),
        timeLeft: methodTimeLimit - (now - method.startedAt),
      },
      visit.voice,
    )
  }
  return finishMethod(visit, { standing, looks, threeDSServerTransId, indicator: indicator ?? 'N' })
}

interface FinishedMethod {
  readonly standing: Standing
  readonly looks: number
  readonly threeDSServerTransId: string | undefined
  readonly indicator: 'Y' | 'N' | 'U'
}

/** A gateway that counts for itself may refuse a `Y` that comes a moment late: it is told `N` then. */
async function finishMethod(visit: Visit, { standing, looks, ...method }: FinishedMethod): Promise<Answer> {
  const { threeDSServerTransId, indicator } = method
  const upload = (threeDSCompInd: 'Y' | 'N' | 'U') =>
    uploadMethodResult(visit, { threeDSCompInd, threeDSServerTransId }, standing)
  const isTaken =
    (await upload(indicator)) || (indicator === 'Y' && !(await isDone(visit, method)) && (await upload('N')))
  if (isTaken) return seeOther(visit.addressOf())
  return waitOrLeave(visit, { looks })
}

const isDone = async (visit: Visit, { threeDSServerTransId }: Pick<FinishedMethod, 'threeDSServerTransId'>) =>
  (await progressOf(visit)).done.includes(`method ${threeDSServerTransId ?? ''}`)

/** The gateway's page is shown once by itself; a customer who comes back too early can go there again at the press of a button. */
async function followGateway(
  visit: Visit,
  { step, looks }: { readonly step: StepOf<'gateway-run'>; readonly looks: number },
): Promise<Answer> {
  const { done } = await progressOf(visit)
  if (!done.includes(stepKey(step))) return openGateway(visit, step)
  return waitOrLeave(visit, { looks, bankUrl: step.redirectTo ?? visit.addressOf('again') })
}

/** Shows the gateway's page. */
export async function openGateway(visit: Visit, step: StepOf<'gateway-run'>): Promise<Answer> {
  await noteDone(visit, stepKey(step))
  const { html, redirectTo } = step
  if (redirectTo !== undefined) return addressPage(redirectTo, visit.voice)
  return gatewayPage(html ?? '')
}

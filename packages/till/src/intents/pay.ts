import type { AttemptEnd, WireProfile } from '@tillkit/protocol'
import { creationOf } from '../rules/orders/expected.js'
import { permissionToSend, type SendPermission } from '../rules/orders/reserve.js'
import { abandonOrder, isForm, nextPayStep } from '../rules/pay/next-step.js'
import type { PayRules, PayStep, PayTerms } from '../rules/pay/pay-step.js'
import type { KnownAttempt, KnownOrder, PauseEntry } from '../state/known.js'
import { askingAbout } from './ask.js'
import { deliveringFirst } from './deliver.js'
import { type FindPlan, findLost } from './find-lost.js'
import type { Next, Scene, Step } from './next.js'
import { factsOf, type Learnt, type MissingStatus } from './pay-facts.js'
import { type RequestPlan, requested } from './send.js'

/** A payment that a merchant asks for. */
export interface PayPlan extends FindPlan {
  readonly terms: Omit<PayTerms, 'login'>
  readonly rules: Omit<PayRules, 'profile'>
  /**
   * The account that the next order is for. The same one for the same login, always.
   *
   * @param before Login of the last order; undefined: there is none.
   */
  readonly accountOf: (before: string | undefined) => { readonly login: string; readonly profile: WireProfile }
  /** The profile of an account; undefined: there is no account of that login any more, so that nobody can be asked. */
  readonly profileOf: (login: string) => WireProfile | undefined
  /** Whether customers may be sent to the address of a form. */
  readonly isReachable: (order: KnownOrder, formUrl: string) => boolean
  /**
   * Checks and builds the request of an order. The same one for the same order, always.
   *
   * @throws for one that cannot be sent.
   */
  readonly requestFor: (
    order: { readonly clientOrderId: string; readonly login: string },
    known: Pick<Scene, 'payment' | 'at'>,
  ) => Pick<RequestPlan, 'attempt' | 'timeout'>
  /** How long the handler has for one outcome, in milliseconds. Absent: another process tells. */
  readonly lease: number | undefined
}

/** A step by which nothing may be sent. */
export type PayRefusal = Exclude<
  PayStep,
  { readonly kind: 'open' | 'go' | 'ask' | 'find' | 'await-answer' | 'leave' | 'wait' | 'over' }
>

/**
 * The end of asking for a payment. `go`: the customer goes on with this order: to `formUrl`, or where there is none through 3DS. `wait`:
 * nothing may be sent now; `goesOn`: the form that was asked for is to come; `later`: nobody can say how it stands. `over`:
 * it is paid as was asked. `refused`: nothing may be sent. `elsewhere`: the form of an order is where no customer may be sent to;
 * `isKnown`: the gateway that is asked now knows the order. `paused`: a person stopped new money. `not-opened`:
 * this is how the request ended, which did nothing. `not-reserved`: what is kept of the payment forbids the request. `not-made`:
 * the request cannot be made, or the marks of the till cannot be read; `cause` says why.
 */
export type PayResult = {
  /** Orders of which nobody could say how they stand, and what their question came to. */
  readonly missing: readonly MissingStatus[]
  /** By the store's clock, in milliseconds. */
  readonly at: number
} & (
  | { readonly kind: 'go'; readonly order: KnownOrder; readonly formUrl: string | undefined }
  | { readonly kind: 'wait'; readonly clientOrderId: string; readonly goesOn: boolean; readonly later: boolean }
  | { readonly kind: 'over' }
  /** `isLate`: a request of this run was sent before that was known. */
  | { readonly kind: 'refused'; readonly step: PayRefusal; readonly isLate: boolean }
  | { readonly kind: 'elsewhere'; readonly order: KnownOrder; readonly login: string; readonly isKnown: boolean }
  | { readonly kind: 'paused'; readonly pause: PauseEntry }
  | { readonly kind: 'not-opened'; readonly end: AttemptEnd }
  | { readonly kind: 'not-made'; readonly cause: unknown }
  | { readonly kind: 'not-reserved'; readonly why: Exclude<SendPermission, { readonly kind: 'reserved' }> }
)

/** A result, without what every one has. */
type Came<Result = PayResult> = Result extends unknown ? Omit<Result, 'missing' | 'at'> : never

/** The pause before another look while another process sends the request, and the longest time that this may take, in milliseconds. */
const [lookAgain, longestPause] = [200, 15_000]

/** A step is decided anew at most so often with what was learnt from it. */
const mostTurns = 100

/**
 * Takes a payment: opens its next order where that charges nobody twice, or finds what the customer has to do now.
 * One request at most is sent.
 */
export const pay =
  (plan: PayPlan): Next<PayResult> =>
  scene => {
    const { payment } = scene
    const account = plan.accountOf(payment?.orders.at(-1)?.login)
    const learnt = factsOf(plan, scene)
    const end = (result: Came): Step<PayResult> => ({
      kind: 'end',
      result: { ...result, missing: learnt.missing, at: scene.at.earliest } as PayResult,
    })
    const round: Round = { plan, scene, account, learnt, end }
    const { end: ended } = scene.heard
    // It did nothing, and the merchant hears why.
    if (ended !== undefined && ended.kind !== 'accepted' && ended.kind !== 'unknown')
      return deliveringFirst(plan.lease, scene, end({ kind: 'not-opened', end: ended }))
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const step = nextPayStep(
        payment,
        { ...plan.terms, login: account.login },
        { ...plan.rules, profile: account.profile },
        learnt,
      )
      const taken = take(step, round)
      if (taken !== undefined) return deliveringFirst(plan.lease, scene, taken)
    }
    throw new Error(`Payment ${plan.terms.reference} has no next step.`)
  }

interface Round {
  readonly plan: PayPlan
  readonly scene: Scene
  readonly account: { readonly login: string; readonly profile: WireProfile }
  readonly learnt: Learnt
  readonly end: (result: Came) => Step<PayResult>
}

/** Steps that go on with the payment, and those that begin something new. */
const goesOn: ReadonlySet<PayStep['kind']> = new Set(['open', 'ask', 'find', 'await-answer', 'leave'])
const begins: ReadonlySet<PayStep['kind']> = new Set(['open', 'find', 'leave'])

/** Takes a step. @returns Undefined where something was learnt from it, and the next one is to be decided anew. */
function take(step: PayStep, round: Round): Step<PayResult> | undefined {
  const { plan, scene, learnt, end } = round
  const { reference, amount } = plan.terms
  const { payment, heard, at } = scene
  // A run sends one request, and does nothing after it that could fail. The merchant asks again to go on.
  if (heard.request !== undefined && goesOn.has(step.kind)) return end(afterRequest(round))
  if (begins.has(step.kind) && heard.marks.unreadable !== undefined)
    return end({ kind: 'not-made', ...heard.marks.unreadable })
  switch (step.kind) {
    case 'open':
      return open(step.clientOrderId, round)
    case 'ask':
      return askFirst(step.orders, round)
    case 'find': {
      const found = findLost(step.clientOrderId, plan, scene)
      if (found.kind === 'absent') learnt.absent.add(step.clientOrderId)
      if (found.kind === 'absent') return undefined
      if (found.kind === 'step') return found.step
      if (found.kind === 'no-answer') learnt.missing.push({ ...found.about, asked: 'no-answer' })
      return end({ kind: 'wait', clientOrderId: step.clientOrderId, goesOn: false, later: true })
    }
    case 'go': {
      const { order, formUrl } = step
      // The merchant hears at once that a form which was just opened is elsewhere.
      const isNew = order.attempts.some(({ reservation }) => reservation === heard.request)
      if (formUrl === undefined || isNew || plan.isReachable(order, formUrl)) return end({ kind: 'go', order, formUrl })
      const { clientOrderId = reference, login } = order
      // The gateway had the order once, and knows it no longer: it may be another gateway.
      const isGone = learnt.missing.some(each => each.clientOrderId === clientOrderId && each.asked === 'not-known')
      if (isGone) return end({ kind: 'elsewhere', order, login, isKnown: false })
      if (learnt.unreachable.has(clientOrderId)) return end({ kind: 'elsewhere', order, login, isKnown: true })
      // Status may know that the order has ended.
      learnt.unreachable.add(clientOrderId)
      return undefined
    }
    case 'await-answer':
      if (heard.waited < longestPause) return { kind: 'wait', milliseconds: lookAgain }
      learnt.unanswered.add(step.order.clientOrderId ?? '')
      return undefined
    case 'leave':
      return payment === undefined
        ? undefined
        : { kind: 'append', payment: abandonOrder(payment, step.order, { why: step.why, at: at.earliest }) }
    case 'wait': {
      const { clientOrderId = reference } = step.order
      const later = learnt.unanswered.has(clientOrderId)
      return end({ kind: 'wait', clientOrderId, goesOn: isFormToCome(step.order, amount), later })
    }
    case 'over':
      return end({ kind: 'over' })
    default:
      return end({ kind: 'refused', step, isLate: heard.request !== undefined })
  }
}

/**
 * Says where the customer goes once a request was sent, where nobody may be led to its form:
 * it is not written down, or its order is over by now.
 */
function afterRequest({ plan, scene: { payment, heard } }: Round): Came {
  const wasSent = ({ reservation }: KnownAttempt): boolean => reservation === heard.request
  const order = payment?.orders.find(({ attempts }) => attempts.some(wasSent))
  const attempt = order?.attempts.find(wasSent)
  const isAccepted = heard.end?.kind === 'accepted' && attempt !== undefined && attempt.end === undefined
  // The way through 3DS follows from the order's id: it cannot be lost, as the address of a form can.
  if (isAccepted && order !== undefined && !isForm(attempt) && attempt.operation !== 'makeRebill')
    return { kind: 'go', order, formUrl: undefined }
  const { clientOrderId = plan.terms.reference } = order ?? {}
  return { kind: 'wait', clientOrderId, goesOn: isAccepted, later: true }
}

/** Opens an order, unless a person stopped new money. The marks count as they are after the last question. */
function open(clientOrderId: string, { plan, scene, account, learnt, end }: Round): Step<PayResult> | undefined {
  const { payment, heard, at, gate } = scene
  const { pause } = heard.marks
  if (!heard.isFresh) return { kind: 'look' }
  if (pause !== undefined) return end({ kind: 'paused', pause })
  let request: ReturnType<PayPlan['requestFor']>
  try {
    request = plan.requestFor({ clientOrderId, login: account.login }, scene)
  } catch (cause) {
    // The answers of status are written down all the same.
    return end({ kind: 'not-made', cause })
  }
  const { attempt, timeout } = request
  const asked = requested(attempt, { gate, at, timeout })
  const decision = permissionToSend(payment, asked)
  if (decision.kind === 'reserved')
    return decision.document === undefined ? undefined : { kind: 'send', attempt: asked, payment: decision.document }
  // The id was used for another request: it is decided again, by that.
  if (learnt.differs.has(clientOrderId)) return end({ kind: 'not-reserved', why: decision })
  learnt.differs.add(clientOrderId)
  return undefined
}

/** Asks status about orders before anything more is opened, until one gives no answer. */
function askFirst(orders: readonly KnownOrder[], { plan, scene, learnt }: Round): Step<PayResult> | undefined {
  for (const order of orders) {
    const { clientOrderId = '', login } = order
    const about = { clientOrderId, login }
    const profile = plan.profileOf(login)
    const asking = profile === undefined ? undefined : askingAbout(order, profile, scene)
    if (asking !== undefined && 'question' in asking) return { kind: 'ask', ...asking }
    if (learnt.asked.has(clientOrderId)) continue
    if (learnt.unanswered.has(clientOrderId)) return undefined
    // Either nobody can be asked, or status says that it brings money, and the payment says that it does not.
    learnt.missing.push({ ...about, asked: profile === undefined ? 'no-answer' : 'brings-money' })
    learnt.unanswered.add(clientOrderId)
    return undefined
  }
  return undefined
}

/** Whether the form that comes is the one asked for. Nobody is sent to a form over another amount without seeing that. */
function isFormToCome(order: KnownOrder, amount: string | undefined): boolean {
  const attempt = creationOf(order)?.attempt
  return attempt !== undefined && attempt.end?.redirectUrl === undefined && attempt.amount === amount
}

import type { AttemptEnd } from '@tillkit/protocol'
import { questionAbout } from '../rules/answer.js'
import { permissionToSend, type SendPermission } from '../rules/orders/reserve.js'
import { type ChangeStep, type ChangeTerms, nextChangeStep } from '../rules/pay/change-step.js'
import { mayHaveArrived } from '../state/attempt-rules.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import { askingAbout, lastAnswerAbout } from './ask.js'
import { isRestored, type Next, type Profiles, type Scene, type Step } from './next.js'
import type { NamedOrder } from './payout.js'
import { type RequestPlan, requested, shown } from './send.js'

/** A capture, a return or a void that is asked for. */
export interface ChangePlan extends Profiles {
  readonly terms: ChangeTerms
  /**
   * Checks and builds the request for a change of an order. The last one that was made is the one that is sent.
   *
   * @throws for one that cannot be sent.
   */
  readonly requestFor: (order: NamedOrder, extent: ChangeExtent) => Pick<RequestPlan, 'attempt' | 'timeout'>
  /** Decides once more, by the payment, when the request is written down. Default: the rules alone decide. */
  readonly onlyWhile?: ((payment: PaymentDocument) => boolean) | undefined
}

/** How much of an order a request changes: all of it, where nothing is said. */
export type ChangeExtent = Pick<Sending, 'amount' | 'attemptId'>

type Sending = Extract<ChangeStep, { readonly kind: 'send' }>

/** A step by which nothing may be sent. */
export type ChangeRefusal = Exclude<ChangeStep, { readonly kind: 'send' | 'again' | 'ask' }>

/**
 * The end of a change. `ended`: this is how its request ended. `again`: it was sent before, and is not sent now; `isAccepted`:
 * the gateway took it. `refused`: nothing may be sent. `not-reserved`: what is kept of the payment forbids the request. `unwanted`:
 * what it was to be sent for is not so any more. `no-account`: there is no account of the order's login.
 */
export type ChangeResult = { readonly at: number } & (
  | { readonly kind: 'ended'; readonly end: AttemptEnd }
  | { readonly kind: 'again'; readonly isAccepted: boolean }
  | { readonly kind: 'refused'; readonly step: ChangeRefusal }
  /** `isShown`: status has shown the order right before. */
  | {
      readonly kind: 'not-reserved'
      readonly why: Exclude<SendPermission, { readonly kind: 'reserved' }>
      readonly isShown: boolean
    }
  | { readonly kind: 'unwanted' }
  /** The request cannot be made. */
  | { readonly kind: 'not-made'; readonly cause: unknown }
  | { readonly kind: 'no-account'; readonly login: string }
)

type Came<Result = ChangeResult> = Result extends unknown ? Omit<Result, 'at'> : never

/**
 * Changes an order, once. Of a return after parts the rest is sent; status is asked before, to know the change by.
 * Outcomes that this brings to light are left to the work in the background: a change waits for nobody's handler.
 */
export const change =
  (plan: ChangePlan): Next<ChangeResult> =>
  scene => {
    const { heard, at } = scene
    const end = (result: Came): Step<ChangeResult> => ({
      kind: 'end',
      result: { ...result, at: at.earliest } as ChangeResult,
    })
    return heard.end === undefined ? nextStep({ plan, scene, end }) : end({ kind: 'ended', end: heard.end })
  }

interface Round {
  readonly plan: ChangePlan
  readonly scene: Scene
  readonly end: (result: Came) => Step<ChangeResult>
  /** The id of an earlier request that did nothing, and that this one may not have. */
  readonly usedUp?: string
}

function nextStep(round: Round): Step<ChangeResult> {
  const { plan, scene, end, usedUp } = round
  const { payment, at } = scene
  const restored = isRestored(scene)
  const facts = { profile: plan.profile, at: at.earliest, restored, usedUp }
  let step = nextChangeStep(payment, plan.terms, { ...facts, wasAsked: false })
  if (step.kind === 'ask') {
    const asked = askedAbout(step.order, round)
    if (typeof asked !== 'string') return asked
    // Only an answer says whether the store has lost a change.
    if (restored && asked === 'unanswered') return end({ kind: 'refused', step: { kind: 'open' } })
    step = nextChangeStep(payment, plan.terms, { ...facts, wasAsked: true })
  }
  switch (step.kind) {
    case 'again':
      return end({ kind: 'again', isAccepted: step.earlier.end?.kind === 'accepted' })
    case 'send':
      return send(step, round)
    case 'ask':
      throw new Error(`The change ${plan.terms.name} asks about its order for ever.`)
    default:
      return end({ kind: 'refused', step })
  }
}

/** Asks status about everything that is open of an order. */
function askedAbout(
  order: KnownOrder,
  { plan: { profileOf }, scene }: Round,
): Step<ChangeResult> | 'answered' | 'unanswered' {
  const profile = profileOf(order.login)
  if (profile === undefined) return 'answered'
  const asking = askingAbout(order, profile, scene)
  if ('question' in asking) return { kind: 'ask', ...asking }
  const { came } = asking
  return came === 'no-answer' || came === 'not-known' ? 'unanswered' : 'answered'
}

/** Writes the request down, once status has shown what there was before it. */
function send({ order, amount, attemptId }: Sending, round: Round): Step<ChangeResult> {
  const { plan, scene, end, usedUp } = round
  const { payment, heard, at, gate } = scene
  const { clientOrderId, orderId, login } = order
  const profile = plan.profileOf(login)
  if (profile === undefined) return end({ kind: 'no-account', login })
  if (payment === undefined || clientOrderId === undefined || orderId === undefined)
    return end({ kind: 'refused', step: { kind: 'not-possible', why: 'nothing-there' } })
  const before = lastAnswerAbout(heard.answers, order)
  if (before === undefined) return { kind: 'ask', question: questionAbout(order), isBrief: true }
  let made: ReturnType<ChangePlan['requestFor']>
  try {
    made = plan.requestFor({ ...order, clientOrderId, orderId }, { amount, attemptId })
  } catch (cause) {
    return end({ kind: 'not-made', cause })
  }
  const { attempt, timeout } = made
  if (plan.onlyWhile?.(payment) === false) return end({ kind: 'unwanted' })
  const named = { ...attempt, clientOrderId }
  const request = requested(named, { gate, at, timeout, baseline: shown(before, profile) })
  const decision = permissionToSend(payment, request)
  if (decision.kind === 'reserved') {
    if (decision.document === undefined) throw new Error(`The request ${gate} is there already.`)
    return { kind: 'send', attempt: request, payment: decision.document }
  }
  // It has the id of one that did nothing, and that said something else: the next id is taken, once.
  const isUsedUp = decision.kind === 'already-sent' || decision.kind === 'other-content'
  const isNew = usedUp === undefined && attemptId !== undefined
  if (isUsedUp && isNew && !mayHaveArrived(decision.earlier)) return nextStep({ ...round, usedUp: attemptId })
  return end({ kind: 'not-reserved', why: decision, isShown: before.kind === 'reply' })
}

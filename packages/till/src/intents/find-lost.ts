import { echoesIds, type StageName, type WireProfile } from '@tillkit/protocol'
import type { Answer, Question } from '../rules/answer.js'
import type { StatusAnswer } from '../rules/happening.js'
import { creationOf } from '../rules/orders/expected.js'
import { nextAttempt } from '../rules/orders/reserve.js'
import { takeUpOrder } from '../rules/pay/take-up.js'
import { mayHaveArrived } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import { evolve } from '../state/evolve.js'
import { nameOf } from '../state/facts.js'
import type { KnownOrder } from '../state/known.js'
import { orderIdFor, orderPlace } from '../store/keys.js'
import { isRestored, type Scene, type Step } from './next.js'

/** The accounts and rules by which orders are looked for that a restored store may have lost. */
export interface LostOrdersPlan {
  readonly rules: { readonly mostOrders: number }
  /** Every account may have it. */
  readonly accounts: readonly { readonly login: string; readonly baseUrl: string; readonly profile: WireProfile }[]
  /** An id that was just made up: the gateway has never seen it. */
  readonly madeUp: string
}

/** An account of a till. */
interface AskedAccount {
  readonly login: string
  readonly profile: WireProfile
  readonly client: { readonly baseUrl: string }
}

/** The plan by which orders are looked for in all of these accounts. */
export const lostOrdersPlan = <More extends Pick<LostOrdersPlan, 'madeUp'>>(
  accounts: readonly AskedAccount[],
  more: More,
): More & Pick<LostOrdersPlan, 'accounts'> => ({
  ...more,
  accounts: accounts.map(({ login, profile, client: { baseUrl } }) => ({ login, profile, baseUrl })),
})

/** Everything that looking for an order at the gateway needs. */
export interface FindPlan extends LostOrdersPlan {
  readonly terms: { readonly purpose: StageName }
  /** The operation that would be sent for it now. */
  readonly operation: string
}

type Found =
  | Exclude<AskedAt, { readonly kind: 'there' | 'step' }>
  | { readonly kind: 'known' }
  | { readonly kind: 'step'; readonly step: Step<never> }

/**
 * Asks whether the gateway has an order that the store may have lost, or a later one of the payment: an order may never have arrived, and
 * the payment went on. The first that it has is taken up.
 *
 * @returns `known`: it has one that the payment has by now, and that no status has shown yet.
 */
export function findLost(clientOrderId: string, plan: FindPlan, scene: Scene): Found {
  const { payment, kept } = scene
  const known = new Set(kept?.orders.map(each => each.clientOrderId))
  const later = laterIds(clientOrderId, plan.rules).filter(each => !known.has(each))
  for (const id of [clientOrderId, ...later]) {
    for (const account of plan.accounts) {
      const about = { clientOrderId: id, login: account.login }
      const found = askedAt(about, { plan, scene })
      if (found.kind === 'step' || found.kind === 'no-answer') return found
      if (found.kind === 'absent') continue
      const after = takenUp(payment, found.answer, { account, plan, scene })
      const isThere = payment !== undefined && findOrder(payment, about) !== undefined
      return isThere || after === payment
        ? { kind: 'known' }
        : { kind: 'step', step: { kind: 'append', payment: after } }
    }
  }
  return { kind: 'absent' }
}

/**
 * Looks for orders that came after the last one of a payment that the gateway may have, where the store was restored: nobody may press
 * again, and their callbacks may have come before. Nobody knows how they were asked for: they count as adopted.
 *
 * @returns Undefined where nothing is to be done.
 */
export function findLater(plan: LostOrdersPlan, about: KnownOrder, scene: Scene): Step<never> | undefined {
  const { payment, at, gate } = scene
  if (payment === undefined || !isRestored(scene)) return undefined
  const { reference, orders } = payment
  const place = orders.findLastIndex(each => each.stages.length > 0 || each.attempts.some(mayHaveArrived))
  const { [place]: last } = orders
  const attempt = last && creationOf(last)?.attempt
  const [purpose] = attempt?.stages ?? []
  if (attempt === undefined || purpose === undefined || last?.clientOrderId !== about.clientOrderId) return undefined
  const next = orderIdFor({ reference, attempt: nextAttempt({ reference, orders: orders.slice(0, place + 1) }) })
  const found = findLost(next, { ...plan, terms: { purpose }, operation: attempt.operation }, scene)
  if (found.kind !== 'step') return undefined
  const { step } = found
  return step.kind === 'append' ? { ...step, payment: adoptedIn(step.payment, gate, at.earliest) } : step
}

/** The payment in which the order of a request counts as adopted. */
function adoptedIn(payment: PaymentDocument, reservation: string, at: number): PaymentDocument {
  const order = payment.orders.find(({ attempts }) => attempts.some(each => each.reservation === reservation))
  return order === undefined ? payment : evolve(payment, { kind: 'adopted', order: nameOf(order), at })
}

/** The ids of the orders after one, up to the last one that a payment may have. */
function laterIds(clientOrderId: string, { mostOrders }: FindPlan['rules']): readonly string[] {
  const { reference, attempt } = orderPlace(clientOrderId)
  const count = Math.max(0, mostOrders - attempt)
  return Array.from({ length: count }, (_, nth) => orderIdFor({ reference, attempt: attempt + nth + 1 }))
}

interface Finding {
  readonly plan: FindPlan
  readonly scene: Scene
}

/** The answer of one account about an order. `absent`: it has never seen it. */
export type AskedAt =
  | { readonly kind: 'there'; readonly answer: StatusAnswer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no-answer'; readonly about: About }
  | { readonly kind: 'step'; readonly step: Asking }

/** A question to status. */
export type Asking = Extract<Step<never>, { readonly kind: 'ask' }>

type About = Pick<Question, 'clientOrderId' | 'login'>

/** Asks one account about one id. A refused question is compared with that about an id that was just made up. */
export function askedAt(
  about: About,
  { plan, scene }: { readonly plan: Pick<LostOrdersPlan, 'madeUp'>; readonly scene: Pick<Scene, 'heard'> },
): AskedAt {
  const answerTo = ({ clientOrderId, login }: About): Answer | undefined =>
    scene.heard.answers.find(({ question }) => question.clientOrderId === clientOrderId && question.login === login)
  const asking = (question: About) => ({ kind: 'step', step: { kind: 'ask', question } }) as const
  const answer = answerTo(about)
  switch (answer?.kind) {
    case undefined:
      return asking(about)
    case 'never-seen':
      return { kind: 'absent' }
    case 'no-answer':
      return { kind: 'no-answer', about }
    case 'reply':
      return echoesIds(answer.reply, about) ? { kind: 'there', answer } : { kind: 'no-answer', about }
    case 'refused': {
      const madeUp = { ...about, clientOrderId: plan.madeUp }
      const compared = answerTo(madeUp)
      if (compared === undefined) return asking(madeUp)
      const code = answer.errorCode
      const isSame = code !== undefined && compared.kind === 'refused' && compared.errorCode === code
      return isSame ? { kind: 'absent' } : { kind: 'no-answer', about }
    }
  }
}

/** The payment with an order that the gateway has and the store lost, as if its request had been here. */
function takenUp(
  payment: PaymentDocument | undefined,
  { reply, askedAt, question }: StatusAnswer,
  {
    account: { login, baseUrl, profile },
    plan: { operation, terms },
    scene,
  }: Finding & { readonly account: FindPlan['accounts'][number] },
): PaymentDocument {
  const { gate, at } = scene
  const { clientOrderId } = question
  const request = { attemptId: gate, reservation: gate, login, baseUrl, fingerprint: '', operation }
  return takeUpOrder(
    payment,
    { ...request, clientOrderId, purpose: terms.purpose },
    { asked: { reply, age: Math.max(0, at.earliest - askedAt) }, profile, at: at.earliest },
  )
}

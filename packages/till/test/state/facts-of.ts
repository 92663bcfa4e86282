import { replyFact, saidOf } from '../../src/rules/orders/status-facts.js'
import type { PaymentDocument } from '../../src/state/document.js'
import { evolve } from '../../src/state/evolve.js'
import { type Fact, idsOf, nameOf, type OrderName, type StatusSaid } from '../../src/state/facts.js'
import { isSameWish, type KnownAttempt, type KnownOrder, type KnownStage } from '../../src/state/known.js'
import { isSame, present } from '../../src/state/values.js'

/** A payment that was purged. @param at Milliseconds of the store's clock. */
export const purgedAt = (payment: PaymentDocument, at: number): PaymentDocument =>
  evolve(payment, { kind: 'purged', at, orders: payment.orders.map(idsOf) })

/** A payment that a test has made by hand, with the facts that lead to it. */
export const withFacts = (payment: Omit<PaymentDocument, 'facts'>): PaymentDocument => ({
  ...payment,
  facts: factsBetween(undefined, { ...payment, facts: [] }),
})

/**
 * The facts that make one payment out of another, read out of both. It knows nothing of the rules: tests compare with it what a rule has
 * written down.
 *
 * @param before Undefined: there was none, and the facts make all of `after`.
 */
export function factsBetween(before: PaymentDocument | undefined, after: PaymentDocument): readonly Fact[] {
  if (before === after) return []
  const { over: at, orders } = after
  if (at !== undefined) return before?.over === at ? [] : [{ kind: 'purged', at, orders: orders.map(idsOf) }]
  return [
    // A decision comes before what follows from it.
    ...decisionFacts(before, after),
    ...orders.flatMap((order, place) => orderFacts(before?.orders[place], order)),
    ...followUpFacts(before, after),
  ]
}

function orderFacts(before: KnownOrder | undefined, after: KnownOrder): readonly Fact[] {
  if (before === after) return []
  const named = namedBy(after)
  const order = before !== undefined ? nameOf(before) : named === undefined ? idsOf(after) : nameOf(named)
  const { orderId } = before ?? named ?? after
  const learnt = after.orderId === orderId ? undefined : after.orderId
  const requests = after.attempts.filter(each => requestIn(before, each) === undefined)
  const ends = after.attempts.flatMap(each => endFacts(order, { before: requestIn(before, each), each, learnt }))
  const isLearnt = ends.some(each => each.kind === 'answered' && each.orderId !== undefined)
  const isAnswered = before?.callbackAt !== undefined && after.callbackAt === undefined
  const facts = [
    ...requests.map(each => requested(order, each)),
    ...ends,
    ...withAnswers(
      after.stages.flatMap((each, place) => stageFacts({ order, stage: place + 1 }, before?.stages[place], each)),
      { orderId: isLearnt ? undefined : learnt, answersCallback: isAnswered || undefined },
      { order, at: Math.max(0, before?.callbackAt ?? 0, ...after.stages.map(each => each.askedAt)) },
    ),
    ...markFacts(order, before, after),
  ]
  const isBegun = before !== undefined || named !== undefined || (requests.length === 0 && facts.length > 0)
  return isBegun ? facts : [{ kind: 'begun', order }, ...facts]
}

/** The first request of an order, if it has the order's ids. Else the first fact of the order has them all. */
function namedBy(order: KnownOrder): KnownAttempt | undefined {
  const [first] = order.attempts
  if (first === undefined || !isSame(nameOf(first), nameOf(order))) return undefined
  return first.orderId === undefined || first.orderId === order.orderId ? first : undefined
}

const requestIn = (order: KnownOrder | undefined, { reservation }: KnownAttempt): KnownAttempt | undefined =>
  order?.attempts.find(each => each.reservation === reservation)

function requested(
  order: OrderName,
  { end: _end, absence: _absence, overdue: _overdue, ...attempt }: KnownAttempt,
): Fact {
  return { kind: 'requested', order, attempt }
}

/** Adds what a reply said of its order to the first fact about a stage. Without such a fact it becomes one of its own. */
function withAnswers(
  stages: readonly Fact[],
  said: { readonly [Field in 'orderId' | 'answersCallback']: StatusSaid[Field] },
  alone: Pick<StatusSaid, 'order' | 'at'>,
): readonly Fact[] {
  const answers = present(said)
  if (Object.keys(answers).length === 0) return stages
  const first = stages.find(each => each.kind === 'status')
  return first === undefined
    ? [{ kind: 'status', ...alone, ...answers }, ...stages]
    : stages.map(each => (each === first ? { ...each, ...answers } : each))
}

interface ChangedRequest {
  readonly before: KnownAttempt | undefined
  readonly each: KnownAttempt
  /** The gateway's id of the order, where it was not known before. */
  readonly learnt: string | undefined
}

function endFacts(order: OrderName, { before, each, learnt }: ChangedRequest): readonly Fact[] {
  if (before === each) return []
  const { end, absence, overdue } = each
  const about = { order, request: each.reservation }
  const facts: Fact[] = []
  // An answer that comes again ends the way to "no trace", whatever it says.
  const isAnswered = !isSame(end, before?.end) || (absence === undefined && before?.absence !== undefined)
  if (end !== undefined && isAnswered) {
    const orderId = end.kind === 'accepted' && end.orderId === learnt ? learnt : undefined
    facts.push({ kind: 'answered', ...about, end, ...present({ orderId }) })
  }
  if (absence !== undefined && !isSame(absence, before?.absence))
    facts.push({ kind: 'never-seen', ...about, ...absence })
  if (overdue !== undefined && before?.overdue === undefined) facts.push({ kind: 'overdue', ...about })
  return facts
}

interface AboutStage {
  readonly order: OrderName
  /** Which stage of the order it is, from 1 on. */
  readonly stage: number
}

function stageFacts(about: AboutStage, before: KnownStage | undefined, after: KnownStage): readonly Fact[] {
  if (before === after) return []
  const { told: words, toldAt: at, approvalTold: approval, wordsBefore } = after
  if (wordsBefore !== undefined && wordsBefore !== before?.wordsBefore) {
    const said = saidOf(after)
    if (before === undefined) {
      // Nothing was kept of it before it was settled: it begins with what is so.
      const begun = { ...said, askedAt: after.askedAt, corrections: [] }
      const settled = { ...begun, wordsBefore }
      return [[undefined, begun] as const, [begun, settled] as const, [settled, after] as const].flatMap(
        ([one, other]) => stageFacts(about, one, other),
      )
    }
    const told = words === before.told ? undefined : words
    return [{ kind: 'settled', ...about, said, words: wordsBefore, ...present({ told }) }]
  }
  const isTold = !isSame([words, at, approval], [before?.told, before?.toldAt, before?.approvalTold])
  const reply = replyFact(about, before, after)
  return [
    ...(reply === undefined ? [] : [reply]),
    ...(words !== undefined && isTold
      ? [{ kind: 'delivered' as const, ...about, words, ...present({ at, approval }) }]
      : []),
  ]
}

function markFacts(order: OrderName, before: KnownOrder | undefined, after: KnownOrder): readonly Fact[] {
  const { callbackAt, called, unshown, adoptedAt, left, leftAt = 0, crowded, threeDSecure } = after
  const facts: Fact[] = []
  if (callbackAt !== undefined && callbackAt !== before?.callbackAt)
    facts.push({ kind: 'callback', order, at: callbackAt })
  if (callbackAt !== undefined)
    for (const { at, ...said } of (called ?? []).slice(before?.called?.length ?? 0))
      facts.push({ kind: 'callback', order, at, said })
  for (const { at, since, ...said } of (unshown ?? []).slice(before?.unshown?.length ?? 0))
    facts.push({ kind: 'not-shown', order, at, since, said })
  if (adoptedAt !== undefined && adoptedAt !== before?.adoptedAt) facts.push({ kind: 'adopted', order, at: adoptedAt })
  if (left !== undefined && left !== before?.left) facts.push({ kind: 'abandoned', order, why: left, at: leftAt })
  if (crowded !== undefined && before?.crowded === undefined) facts.push({ kind: 'full', order })
  const known = before?.threeDSecure
  const done = (threeDSecure?.done ?? []).slice(known?.done.length ?? 0)
  const method = isSame(threeDSecure?.method, known?.method) ? undefined : threeDSecure?.method
  if (done.length > 0 || method !== undefined)
    facts.push({ kind: 'three-d-secure', order, ...present({ done: done.length > 0 ? done : undefined, method }) })
  return facts
}

/** A new decision is always the last one of those that a document has. */
function decisionFacts(before: PaymentDocument | undefined, { decisions = [] }: PaymentDocument): readonly Fact[] {
  if (isSame(decisions, before?.decisions)) return []
  const added = before?.decisions === undefined ? decisions : decisions.slice(-1)
  return added.map(decision => ({ kind: 'decided', decision }))
}

function followUpFacts(before: PaymentDocument | undefined, { wishes = [] }: PaymentDocument): readonly Fact[] {
  const known = before?.wishes ?? []
  const gone = known.filter(each => !wishes.some(wish => isSameWish(wish, each)))
  const added = wishes.filter(each => !known.some(wish => isSameWish(wish, each)))
  return [
    ...gone.map(wish => ({ kind: 'follow-up-dropped' as const, wish })),
    ...added.map(wish => ({ kind: 'follow-up' as const, wish })),
  ]
}

import { placesOf } from '../order/late-approval.js'
import type { KnownAttempt, KnownOrder, KnownStage, PaymentDocument } from '../store/document.js'
import { present } from '../store/timeline/timeline.js'
import { isSameWish } from '../store/told/wishes.js'
import { type Delivery, type Fact, type OrderName, type StageSaid, type StatusSaid, saidFields } from './facts.js'

/**
 * The facts that make one document out of another. So every rule of the old engine gives facts without knowing of them.
 *
 * @param before Undefined: there was none.
 * @throws {TypeError} for the document of a till itself, and for one that was moved: those are no payments.
 */
export function factsBetween(before: PaymentDocument | undefined, after: PaymentDocument): readonly Fact[] {
  if (before === after) return []
  if (after.pauses !== undefined || after.movedTo !== undefined)
    throw new TypeError(`${after.reference} is no payment, so it has no history.`)
  const { over: at, orders } = after
  if (at !== undefined) return before?.over === at ? [] : [{ kind: 'purged', at, orders: orders.map(idsOf) }]
  return [
    ...orders.flatMap((order, place) => orderFacts(before?.orders[place], order)),
    ...decisionFacts(before, after),
    ...followUpFacts(before, after),
  ]
}

/** The lease of a document, as a history keeps it. */
export function deliveryOf({ telling, orders }: PaymentDocument): Delivery | undefined {
  const { [telling?.order ?? -1]: order } = orders
  return telling === undefined || order === undefined
    ? undefined
    : { ...telling, order: nameOf(order), stage: telling.stage + 1 }
}

const idsOf = ({ login, clientOrderId, orderId }: Pick<KnownOrder, keyof OrderName>): OrderName => ({
  login,
  ...present({ clientOrderId, orderId }),
})

const nameOf = ({ login, clientOrderId, orderId }: Pick<KnownOrder, keyof OrderName>): OrderName =>
  clientOrderId === undefined ? { login, ...present({ orderId }) } : { login, clientOrderId }

function orderFacts(before: KnownOrder | undefined, after: KnownOrder): readonly Fact[] {
  if (before === after) return []
  const [creation] = after.attempts
  // The first request of an order names it, else the fact that begins it has all ids that there are.
  const order = before !== undefined ? nameOf(before) : creation === undefined ? idsOf(after) : nameOf(creation)
  const known = before ?? creation ?? after
  const learnt = after.orderId === known.orderId ? undefined : after.orderId
  const requests = after.attempts.flatMap(each => requestFacts(order, { before, each, learnt }))
  const stages = after.stages.flatMap((each, place) =>
    stageFacts(order, { before: before?.stages[place], each, place }),
  )
  const replies = stages.filter((each): each is StatusSaid => each.kind === 'status')
  const isLearnt = requests.some(each => each.kind === 'answered' && each.orderId !== undefined)
  const answers = present({
    orderId: isLearnt ? undefined : learnt,
    answersCallback: before?.callbackAt !== undefined && after.callbackAt === undefined ? (true as const) : undefined,
  })
  const [first] = replies
  const isNews = Object.keys(answers).length > 0
  const at = Math.max(0, before?.callbackAt ?? 0, ...after.stages.map(each => each.askedAt))
  return [
    ...requests,
    ...(isNews && first === undefined ? [{ kind: 'status' as const, order, at, ...answers }] : []),
    ...stages.map(each => (isNews && each === first ? { ...each, ...answers } : each)),
    ...markFacts(order, before, after),
  ]
}

interface ChangedRequest {
  readonly before: KnownOrder | undefined
  readonly each: KnownAttempt
  /** The gateway's id of the order, where it was not known before. */
  readonly learnt: string | undefined
}

function requestFacts(order: OrderName, { before, each, learnt }: ChangedRequest): readonly Fact[] {
  const known = before?.attempts.find(({ reservation }) => reservation === each.reservation)
  if (known === each) return []
  const { end, absence, overdue, ...attempt } = each
  const about = { order, request: each.reservation }
  const facts: Fact[] = known === undefined ? [{ kind: 'requested', order, attempt }] : []
  // An answer that comes again ends the way to "no trace", whatever it says.
  const isAnswered = !isSame(end, known?.end) || (absence === undefined && known?.absence !== undefined)
  if (end !== undefined && isAnswered) {
    const orderId = end.kind === 'accepted' && end.orderId === learnt ? learnt : undefined
    facts.push({ kind: 'answered', ...about, end, ...present({ orderId }) })
  }
  if (absence !== undefined && !isSame(absence, known?.absence))
    facts.push({ kind: 'never-seen', ...about, ...absence })
  if (overdue !== undefined && known?.overdue === undefined) facts.push({ kind: 'overdue', ...about })
  return facts
}

interface ChangedStage {
  readonly before: KnownStage | undefined
  readonly each: KnownStage
  readonly place: number
}

function stageFacts(order: OrderName, { before, each, place }: ChangedStage): readonly Fact[] {
  if (before === each) return []
  const about = { order, stage: place + 1 }
  const { told: words, toldAt, approvalTold, wordsBefore } = each
  if (wordsBefore !== undefined && wordsBefore !== before?.wordsBefore) {
    const told = words === before?.told ? undefined : words
    return [{ kind: 'settled', ...about, said: saidOf(each), words: wordsBefore, ...present({ told }) }]
  }
  const heard = [words, toldAt, approvalTold]
  const isTold = words !== undefined && !isSame(heard, [before?.told, before?.toldAt, before?.approvalTold])
  const reply = replyFact(about, before, each)
  return [
    ...(reply === undefined ? [] : [reply]),
    ...(isTold
      ? [{ kind: 'delivered' as const, ...about, words, ...present({ at: toldAt, approval: approvalTold }) }]
      : []),
  ]
}

function replyFact(
  about: Pick<StatusSaid, 'order' | 'stage'>,
  before: KnownStage | undefined,
  after: KnownStage,
): StatusSaid | undefined {
  const { askedAt: at, statusAskedAt: firstAt, restated } = after
  const said = saidOf(after)
  const [known, places] = [placesOf(before?.corrections ?? []), placesOf(after.corrections)]
  const corrected = after.corrections.flatMap(({ from, to, askedAt }, index) => {
    const { [index]: nth = index } = places
    return known.includes(nth) ? [] : [{ from, to, askedAt, nth }]
  })
  const forgotten = known.filter(nth => !places.includes(nth))
  const news = present({
    said: before !== undefined && isSame(said, saidOf(before)) ? undefined : said,
    corrected: corrected.length === 0 ? undefined : corrected,
    forgotten: forgotten.length === 0 ? undefined : forgotten,
    restated: isSame(restated, before?.restated) ? undefined : restated,
    firstAt: firstAt === before?.statusAskedAt ? undefined : firstAt,
  })
  return Object.keys(news).length === 0 && at === before?.askedAt
    ? undefined
    : { kind: 'status', ...about, at, ...news }
}

const saidOf = (stage: KnownStage): StageSaid => {
  const said = saidFields.flatMap(field => (stage[field] === undefined ? [] : [[field, stage[field]]]))
  return Object.fromEntries(said) as StageSaid
}

function markFacts(order: OrderName, before: KnownOrder | undefined, after: KnownOrder): readonly Fact[] {
  const { callbackAt, adoptedAt, left, leftAt = 0, crowded, threeDSecure } = after
  const facts: Fact[] = []
  if (callbackAt !== undefined && callbackAt !== before?.callbackAt)
    facts.push({ kind: 'callback', order, at: callbackAt })
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

/** A decision is always the last one of those that a document has. */
function decisionFacts(before: PaymentDocument | undefined, { decisions = [] }: PaymentDocument): readonly Fact[] {
  const decision = decisions.at(-1)
  return decision === undefined || isSame(decisions, before?.decisions) ? [] : [{ kind: 'decided', decision }]
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

/** Whether two values are the same as JSON, in whatever order their fields are. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other)
}

const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([first], [second]) => (first < second ? -1 : 1)))
      : each,
  )

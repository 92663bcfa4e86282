/**
 * A status reply as facts: what it says of an order that was not known.
 *
 * @module
 */
import {
  type Fact,
  idsOf,
  nameOf,
  type OrderName,
  type StageSaid,
  type StatusSaid,
  saidFields,
} from '../../state/facts.js'
import type { KnownOrder, KnownStage } from '../../state/known.js'
import { placesOf } from '../../state/late-approval.js'
import { isSame, present } from '../../state/values.js'

/**
 * The facts that a status reply adds to an order.
 *
 * @param before Undefined: nothing was known of the order, and the facts begin it.
 * @param after The order with what the reply says.
 */
export function statusFacts(before: KnownOrder | undefined, after: KnownOrder): readonly Fact[] {
  // The first fact of an order has all its ids.
  const order = before === undefined ? idsOf(after) : nameOf(before)
  const facts = after.stages.flatMap(
    (each, place) => replyFact({ order, stage: place + 1 }, before?.stages[place], each) ?? [],
  )
  const isAnswered = before?.callbackAt !== undefined && after.callbackAt === undefined
  const answers = present({
    orderId: before === undefined || after.orderId === before.orderId ? undefined : after.orderId,
    answersCallback: isAnswered || undefined,
  })
  if (before === undefined && facts.length === 0) return [{ kind: 'begun', order }]
  if (Object.keys(answers).length === 0) return facts
  // The first fact about a stage has it. Without one it is a fact of its own.
  const [first, ...others] = facts
  if (first !== undefined) return [{ ...first, ...answers }, ...others]
  const at = Math.max(0, before?.callbackAt ?? 0, ...after.stages.map(each => each.askedAt))
  return [{ kind: 'status', order, at, ...answers }]
}

interface AboutStage {
  readonly order: OrderName
  /** Which stage of the order it is, from 1 on. */
  readonly stage: number
}

/** The fact that a reply adds about one stage; undefined: it says nothing new of it. */
export function replyFact(
  about: AboutStage,
  before: KnownStage | undefined,
  after: KnownStage,
): StatusSaid | undefined {
  if (before === after) return undefined
  const { askedAt: at, statusAskedAt: firstAt, restated, amountCame } = after
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
    amountCame: before?.amountCame === undefined ? amountCame : undefined,
    firstAt: firstAt === before?.statusAskedAt ? undefined : firstAt,
  })
  return Object.keys(news).length === 0 && at === before?.askedAt
    ? undefined
    : { kind: 'status', ...about, at, ...news }
}

/** A stage in the gateway's words. */
export function saidOf(stage: KnownStage): StageSaid {
  const said: Partial<Record<keyof StageSaid, unknown>> = {}
  for (const field of saidFields) if (stage[field] !== undefined) said[field] = stage[field]
  return said as StageSaid
}

import type { KnownOrder, KnownStage } from '../../state/known.js'
import { hasFailed, isGivenUp } from '../orders/reserve.js'
import { bringsMoney } from '../orders/totals.js'

const minute = 60_000
const day = 86_400_000

/** For how many days an order is looked at again that brought no money, or an amount that nobody knows. */
const days = 30

/** How long after its last news such an order is looked at again, in milliseconds. */
const looks: readonly number[] = [
  minute,
  5 * minute,
  30 * minute,
  360 * minute,
  ...Array.from({ length: days }, (_, index) => (index + 1) * day),
]

/**
 * Whether an order that brought no money is looked at again: a decline can be corrected, an order that the payment went on without can be
 * paid, and a person who says that a request did nothing can be wrong. So is one that ended without an amount: that may come, and no
 * callback need say so. After thirty days it is left to the gateway's callbacks.
 *
 * Any other order that brought money is left to them from the start: what becomes of it is called back, and status is asked before anything
 * of it is changed.
 *
 * @param at What the store's clock says, in milliseconds.
 */
export const isWatched = (order: KnownOrder, at: number): boolean =>
  isWorthALook(order) && at < latestNews(order) + (days + 1) * day

/** When an order is looked at again after its news; undefined where it is not. In milliseconds of the store's clock. */
export const firstLookAt = (order: KnownOrder): number | undefined =>
  isWorthALook(order) ? latestNews(order) + minute : undefined

/** When an order that was looked at now is looked at again; undefined: never. In milliseconds of the store's clock. */
export function nextLookAt(order: KnownOrder, at: number): number | undefined {
  if (!isWorthALook(order)) return undefined
  const news = latestNews(order)
  // After a clock was set back its news may lie ahead.
  const next = looks.find(each => news + each > at)
  return next === undefined ? undefined : Math.min(news + next, at + day)
}

const isWorthALook = (order: KnownOrder): boolean =>
  (order.stages.length > 0 && hasFailed(order)) ||
  order.left !== undefined ||
  isDoubtful(order) ||
  order.stages.some(lacksAmount)

/** Whether a stage brought money, and nobody knows how much. A person who settled it knows. */
const lacksAmount = ({ stage, outcome, amount, wordsBefore }: KnownStage): boolean =>
  outcome === 'approved' && amount === undefined && wordsBefore === undefined && bringsMoney(stage)

/** Whether a person gave up what made an order, and status has not shown any money of it. */
const isDoubtful = (order: KnownOrder): boolean =>
  isGivenUp(order) && order.stages.every(({ outcome }) => outcome !== 'approved')

const latestNews = ({ attempts, stages, leftAt = 0 }: KnownOrder): number =>
  Math.max(
    leftAt,
    ...attempts.map(({ reservedAt, end }) => end?.at ?? reservedAt),
    ...stages.map(({ askedAt }) => askedAt),
  )

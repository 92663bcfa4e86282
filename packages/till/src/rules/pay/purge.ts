import type { WireProfile } from '@tillkit/protocol'
import { isUnresolved } from '../../state/attempt-rules.js'
import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { idsOf } from '../../state/facts.js'
import { isUntold, type KnownOrder } from '../../state/known.js'
import { isAwaited } from '../orders/expected.js'
import { undecidedOf } from '../orders/open-callbacks.js'
import { type OrderStanding, ordersWithMoney, standingsOf } from './standing.js'

/** How old a payment must be that is purged. */
export interface PurgeTerms {
  readonly profile: WireProfile
  /** The time of the store's clock, in milliseconds. */
  readonly at: number
  /** Nothing may have happened to it since then, in milliseconds of the same clock. */
  readonly before: number
}

/** Standings of which nothing is left to be learnt. An order that failed or was abandoned is watched. */
const ended: ReadonlySet<OrderStanding> = new Set([
  'nothing',
  'released',
  'approved',
  'returned',
] satisfies OrderStanding[])

/**
 * Leaves nothing of an old payment but its ids. A gate. What is open, unknown, disputed, untold or watched stays: a decline can be
 * corrected, and an order that the payment went on without can be paid. So does a payment that two orders brought money for, and one about
 * whose callback a person is asked.
 *
 * @returns The very document where it stays as it is.
 */
export function purged(document: PaymentDocument, { profile, at, before }: PurgeTerms): PaymentDocument {
  const { orders, over, telling, wishes = [], decisions = [] } = document
  if (over !== undefined || orders.length === 0 || telling !== undefined || wishes.length > 0) return document
  const all = standingsOf(orders, at, profile)
  const isSurplus = ordersWithMoney(all, profile).length > 1
  const isAsked = orders.some(each => undecidedOf(each, document, profile).length > 0)
  const isEnded = !isSurplus && !isAsked && all.every(({ standing }) => ended.has(standing)) && orders.every(isQuiet)
  const latest = Math.max(0, ...orders.map(latestOf), ...decisions.map(({ at }) => at))
  const isOld = latest < before
  return isEnded && isOld ? evolve(document, { kind: 'purged', at, orders: orders.map(idsOf) }) : document
}

const isQuiet = (order: KnownOrder): boolean =>
  order.callbackAt === undefined &&
  !isAwaited(order) &&
  !order.attempts.some(isUnresolved) &&
  !order.stages.some(each => each.outcome === undefined || isUntold(each))

/** When something last happened to an order. */
const latestOf = ({ attempts, stages, callbackAt = 0 }: KnownOrder): number =>
  Math.max(
    callbackAt,
    ...attempts.flatMap(({ reservedAt, sendBy, end }) => [reservedAt, sendBy, end?.at ?? 0]),
    ...stages.flatMap(({ askedAt, corrections }) => [askedAt, ...corrections.map(each => each.askedAt)]),
  )

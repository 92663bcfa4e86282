/**
 * What of an order its page shows, as a text that changes when that changes.
 *
 * @module
 */
import type { OrderView } from './order-view.js'

/** The version of an order. Questions that were asked are no news, answers that say something else are. */
export function orderVersion({ order, open, disputes, notMade, needsPerson, parcel }: OrderView): string {
  const stages = order.stages.map(({ stage, status, corrections }) => `${stage}=${status}+${corrections.length}`)
  const requests = open.map(({ attempt, state }) => `${attempt.operation}?${state}`)
  return [...stages, ...requests, disputes.length, notMade !== undefined, needsPerson, parcel].join(' ')
}

/**
 * What of an order its page shows, as a text that changes when that changes.
 *
 * @module
 */
import type { ShopOrder } from '../orders.js'

/** The version of an order. Questions that were asked are no news, answers that say something else are. */
export function orderVersion({ order, open, notes, notMade, isDisputed }: ShopOrder): string {
  const stages = order.stages.map(({ stage, status, corrections }) => `${stage}=${status}+${corrections.length}`)
  const questions = open.map(({ operation, state, needsPerson = false }) => `${operation}?${state}${needsPerson}`)
  return [...stages, ...questions, notes.length, notMade?.label, isDisputed].join(' ')
}

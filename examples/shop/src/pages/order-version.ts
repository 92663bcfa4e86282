/**
 * What of an order its page shows, as a text that changes when that changes.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { OrderView } from './order-view.js'

/** The version of an order. Questions that were asked are no news, answers that say something else are; nor is a notice, which is shown once. */
export function orderVersion({ order: { told, parcel }, payment }: OrderView): string {
  const { state, totals, underWay, needsPerson, timeline } = payment
  const events = timeline.map(({ clientOrderId, text }) => [clientOrderId, text])
  const shown = { told, parcel, state, totals, underWay, needsPerson, events }
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
}

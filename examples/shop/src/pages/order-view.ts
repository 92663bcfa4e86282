/** Pages show this of an order. */
import { createHash } from 'node:crypto'
import type { Payment } from '@tillkit/till'
import type { ShopOrder } from '../orders.js'

/** What the shop knows of an order, and what the till knows of its payment. */
export interface OrderView {
  readonly order: ShopOrder
  readonly payment: Payment
}

/** Whether something about it has not ended: it is asked about, and the page goes on by itself. */
export const isUnderWay = ({ payment: { state, underWay } }: OrderView): boolean =>
  state === 'open' || state === 'unknown' || underWay.length > 0

/**
 * The version of an order. Questions that were asked are no news, answers that say something else are;
 * nor is a notice, which is shown once.
 */
export function orderVersion({ order: { told, parcel }, payment }: OrderView): string {
  const { state, totals, underWay, needsPerson, timeline } = payment
  const events = timeline.map(({ clientOrderId, text }) => [clientOrderId, text])
  const shown = { told, parcel, state, totals, underWay, needsPerson, events }
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
}

/**
 * The script of the pages of an order: asks while something is open, less and less often, and shows what is new. Without it the page
 * is reloaded by hand.
 */
export const orderScript = `
const order = document.getElementById('order')
const { open, version, path } = order?.dataset ?? {}
let wait = 700
const ask = async () => {
  try {
    const response = await fetch(path + '/version')
    if (response.ok && (await response.text()) !== version) return location.reload()
  } catch {}
  wait = Math.min(wait * 1.3, 15000)
  setTimeout(ask, wait)
}
if (open === 'yes') setTimeout(ask, wait)
`

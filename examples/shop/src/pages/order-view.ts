/**
 * What pages show of an order.
 *
 * @module
 */
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

/**
 * What pages show of an order.
 *
 * @module
 */
import type { ShopOrder } from '../orders.js'
import type { Payment } from '../payment.js'

/** What the shop knows of an order, and what the store has of its payment. */
export interface OrderView extends ShopOrder, Payment {
  /** Status was asked about a change that was not answered, and cannot tell: a person has to ask the gateway. We keep asking all the same. */
  readonly needsPerson: boolean
}

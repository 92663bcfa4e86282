/**
 * What a hosted page is about: description and amount.
 *
 * @module
 */
import { stageAmount } from '../stage-money.js'
import type { Order } from '../transactions.js'
import { type Html, html } from './html.js'

/** Amount of an order with its currency. */
export const amountText = (order: Order): string =>
  `${stageAmount(order, order.stages[0]) ?? ''} ${order.currency ?? ''}`

/** Writes description and amount. A verification takes no money and says so. */
export function orderHeading(order: Order): Html {
  const title = order.description ?? `Order ${order.clientOrderId}`
  const verification = order.stages[0].stage === 'verification'
  const line = verification
    ? html`<p class="soft">Your card is checked. No money is taken.</p>`
    : html`<p class="amount">${amountText(order)}</p>`
  return html`<h1>${title}</h1>
${line}
`
}

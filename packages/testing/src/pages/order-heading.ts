/**
 * What a hosted page is about: description and amount.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import { stageAmount } from '../orders/stage-money.js'
import type { Order } from '../orders/transactions.js'
import { type Html, html } from './html.js'

/** An order to show, and the profile that says how many digits its amount has. */
export interface OrderToShow {
  readonly order: Order
  readonly profile: WireProfile
}

/** Amount of an order with its currency. */
export const amountText = ({ order, profile }: OrderToShow): string =>
  `${stageAmount(order, order.stages[0], profile) ?? ''} ${order.currency ?? ''}`

/** Writes description and amount. A verification takes no money and says so. */
export function orderHeading(shown: OrderToShow): Html {
  const { order } = shown
  const title = order.description ?? `Order ${order.clientOrderId}`
  const verification = order.stages[0].stage === 'verification'
  const line = verification
    ? html`<p class="soft">Your card is checked. No money is taken.</p>`
    : html`<p class="amount">${amountText(shown)}</p>`
  return html`<h1>${title}</h1>
${line}
`
}

/** The customer's and the merchant's page of an order have this in common. */
import type { Side } from '../orders.js'
import { type Html, html } from './html.js'
import { money } from './money.js'
import { orderState } from './order-state.js'
import { isUnderWay, type OrderView, orderVersion } from './order-view.js'
import { picture } from './picture.js'

/** Why a click did nothing. */
export const noticeOf = (notice: string | undefined): Html | false =>
  notice !== undefined && html`<p class="message bad" role="alert" dir="auto">${notice}</p>`

/** What was bought, how its payment stands, and what follows. The page is drawn again when there is something new. */
export function orderHead(view: OrderView, side: Side, body: Html): Html {
  const { id, product, parcel } = view.order
  const { label, tone, sentence, forMerchant } = orderState(view)
  return html`
<div data-open="${isUnderWay(view) ? 'yes' : 'no'}" data-version="${orderVersion(view)}" data-path="/orders/${id}" id="order">
<div class="orderhead">${picture(product)}<div>
<h1>${product.name}</h1> <span class="pill ${tone}" role="status">${label}</span>
<p>Order ${id} · ${money(product.price, product.currency)} · parcel ${parcel}</p>
</div></div>
<p class="message ${tone}" dir="auto">${side === 'merchant' ? (forMerchant ?? sentence) : sentence}</p>
${body}
</div>`
}

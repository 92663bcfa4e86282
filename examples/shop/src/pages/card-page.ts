/**
 * The shop's own card form, for who would rather not leave the shop before the bank asks.
 *
 * @module
 */
import type { Product } from '../catalog.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { picture } from './picture.js'

/** What the page shows. */
export interface CardPage {
  readonly product: Product
  /** Makes a second click the same order. */
  readonly ticket: string
  readonly gatewayAddress: string
  /** Why the payment before was not made, if there was one. */
  readonly notice: string | undefined
}

/** The page. Its script adds what 3DS asks about the browser. */
export function cardPage({ product, ticket, gatewayAddress, notice }: CardPage): Html {
  const price = money(product.price, product.currency)
  return layout({
    title: `Pay for ${product.name}`,
    gatewayAddress,
    script: '/customer-browser.js',
    body: html`
<div class="orderhead">${picture(product)}<div><h1>${product.name}</h1><p>${price}</p></div></div>
${notice !== undefined && html`<p class="message bad" role="alert">${notice}</p>`}
<form method="post" action="/pay-here/${product.id}" class="panel card" data-customer-browser>
<input type="hidden" name="ticket" value="${ticket}">
<label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" maxlength="23" required></label>
<label>Name on card <input name="name" autocomplete="cc-name" maxlength="128" required></label>
<div class="row">
<label>Month <input name="month" inputmode="numeric" autocomplete="cc-exp-month" maxlength="2" required></label>
<label>Year <input name="year" inputmode="numeric" autocomplete="cc-exp-year" maxlength="4" required></label>
<label>CVV <input name="cvv2" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required></label>
</div>
<button>Pay ${price}</button>
<p class="hint">Test cards: 4444 4444 4444 4448 with CVV 321 takes 3DS 2, 4012 0010 3714 1112 takes 3DS 1.0.2, CVV 111 takes none. The code of the test bank is <code>hint</code>. A card that is real has no business here.</p>
</form>`,
  })
}

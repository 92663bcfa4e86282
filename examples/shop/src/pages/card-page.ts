/** The shop's own card form, for who would rather not leave the shop before the bank asks. */
import type { Product } from '../catalog.js'
import type { CardField, CardMistakes } from '../check-card.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { noticeOf } from './order-head.js'
import { picture } from './picture.js'

/** What the page shows. */
export interface CardPage {
  readonly product: Product
  /** Makes a second click the same order. */
  readonly ticket: string
  readonly gatewayAddress: string
  /** Why the payment before was not made, if there was one. */
  readonly notice: string | undefined
  /** What is wrong with what was typed, beside its field. */
  readonly mistakes?: CardMistakes
  /** What was typed and may be shown again: never the number, never the CVV. */
  readonly typed?: { readonly [Field in Exclude<CardField, 'number' | 'cvv2'>]?: string }
}

/** The page. Its script adds what 3DS asks about the browser. */
export function cardPage({ product, ticket, gatewayAddress, notice, mistakes = {}, typed = {} }: CardPage): Html {
  const field = (name: CardField, label: string, rules: Html) => {
    const mistake = mistakes[name]
    const value = name === 'number' || name === 'cvv2' ? '' : (typed[name] ?? '')
    // The first one that is wrong is where the customer goes on.
    const isFirst = Object.keys(mistakes)[0] === name
    const wrong = html`aria-invalid="true" aria-describedby="${name}-wrong"`
    return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" ${rules} ${mistake !== undefined && wrong} ${isFirst && html`autofocus`}>
${mistake !== undefined && html`<p class="wrong" id="${name}-wrong">${mistake}</p>`}</div>`
  }
  const price = money(product.price, product.currency)
  const isWrong = Object.keys(mistakes).length > 0
  return layout({
    title: `${isWrong ? 'Please check: ' : ''}Pay for ${product.name}`,
    gatewayAddress,
    script: '/customer-browser.js',
    body: html`
<div class="orderhead">${picture(product)}<div><h1>${product.name}</h1><p>${price}</p></div></div>
${noticeOf(notice)}
<form method="post" action="/pay-here/${product.id}" class="panel card" data-customer-browser>
<input type="hidden" name="ticket" value="${ticket}">
${field('number', 'Card number', html`inputmode="numeric" autocomplete="cc-number" maxlength="23" required`)}
${field('name', 'Name on card', html`autocomplete="cc-name" maxlength="128" required`)}
<div class="row">
${field('month', 'Month', html`inputmode="numeric" autocomplete="cc-exp-month" maxlength="2" required`)}
${field('year', 'Year', html`inputmode="numeric" autocomplete="cc-exp-year" maxlength="4" required`)}
${field('cvv2', 'CVV', html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" required`)}
</div>
<button>Pay ${price}</button>
<p class="hint">Test cards: 4444 4444 4444 4448 with CVV 321 takes 3DS 2, 4012 0010 3714 1112 takes 3DS 1.0.2,
CVV 111 takes none. The code of the test bank is <code>hint</code>. A card that is real has no business here.</p>
</form>`,
  })
}

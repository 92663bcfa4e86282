/** The shelf. */
import type { Product } from '../catalog.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { orderState } from './order-state.js'
import type { OrderView } from './order-view.js'
import { picture } from './picture.js'

/** What the shelf shows. */
export interface HomePage {
  readonly catalog: readonly Product[]
  readonly latest: readonly OrderView[]
  readonly gatewayAddress: string
  /** Makes a second click on the same button the same order. */
  readonly ticket: string
}

/** Products to choose from, and the latest orders. */
export function homePage({ catalog, latest, gatewayAddress, ticket }: HomePage): Html {
  return layout({
    title: 'Cups, bowls and pots',
    gatewayAddress,
    body: html`
<h1>Made by hand, paid for safely</h1>
<p class="lead">Choose something. You pay on the gateway’s own page and come back here, or pay here by card;
the order is paid once the gateway’s status says so.</p>
<ul class="shelf">${catalog.map(product => productCard(product, ticket))}</ul>
${
  latest.length > 0 &&
  html`<section style="margin-top:3rem"><h2>Latest orders</h2>
<div class="panel"><ul class="latest">${latest.map(latestOrder)}</ul></div></section>`
}`,
  })
}

function productCard(product: Product, ticket: string): Html {
  return html`<li class="product">
<div class="stage">${picture(product)}</div>
<div class="body">
<h2>${product.name}<span class="price">${money(product.price, product.currency)}</span></h2>
<p>${product.description}</p>
<form method="post" action="/orders" class="buttons">
<input type="hidden" name="product" value="${product.id}">
<input type="hidden" name="ticket" value="${ticket}">
<button class="grow" name="kind" value="sale" aria-label="Buy ${product.name}">Buy</button>
<button class="quiet" name="kind" value="preauth" aria-label="Reserve ${product.name}">Reserve</button>
</form>
<p class="here"><a href="/pay-here/${product.id}" aria-label="Pay here, by card: ${product.name}">Pay here, by card</a></p>
</div></li>`
}

function latestOrder(view: OrderView): Html {
  const { label, tone } = orderState(view)
  const { id, product } = view.order
  return html`<li><a href="/orders/${id}">${id}</a> ${product.name}
<span class="pill ${tone}">${label}</span>
<a href="/merchant/orders/${id}" aria-label="For the merchant: ${id}">For the merchant</a>
<span class="money">${money(product.price, product.currency)}</span></li>`
}

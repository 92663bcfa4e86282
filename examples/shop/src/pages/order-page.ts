/**
 * One order: its state, its stages and totals, the merchant's buttons, and everything that went over the wire.
 *
 * @module
 */
import { allowedNow, type Order, type OrderTotals, orderTotals, type Stage } from '@tillkit/protocol'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { type OrderState, orderState } from './order-state.js'
import { orderVersion } from './order-version.js'
import type { OrderView } from './order-view.js'
import { picture } from './picture.js'
import { wireEntry } from './wire-entry.js'

/** The page of one order. */
export function orderPage(view: OrderView, { gatewayAddress }: { readonly gatewayAddress: string }): Html {
  const { product, order, open, disputes, notice, parcel, wire } = view
  const { label, tone, sentence } = orderState(view)
  const totals = orderTotals(order)
  return layout({
    title: `Order ${order.clientOrderId}`,
    gatewayAddress,
    script: '/order-page.js',
    body: html`
<div data-open="${open.length}" data-version="${orderVersion(view)}" id="order">
<div class="orderhead">${picture(product)}<div>
<h1>${product.name}</h1> <span class="pill ${tone}" role="status">${label}</span>
<p>Order ${order.clientOrderId}${order.orderId !== undefined && html` · gateway’s order ${order.orderId}`} · ${money(product.price, product.currency)} · parcel ${parcel}</p>
</div></div>
${notice !== undefined && html`<p class="message bad" role="alert">${notice}</p>`}
<p class="message ${tone}">${sentence}${wayOn(view, label)}</p>
${lookAgain(view)}
${disputes.map(why => html`<p class="message bad">${why}</p>`)}
<div class="columns">
<section class="panel"><h2>Stages</h2>${order.stages.length === 0 ? html`<p class="hint">None is known yet.</p>` : html`<ol class="stages">${order.stages.map(stageLine)}</ol>`}
${totals !== undefined && totalsList(totals, order)}</section>
<section class="panel"><h2>For the merchant</h2>${actions(view)}</section>
</div>
<section class="wire"><h2>Over the wire</h2>
<p class="hint" style="margin:0 0 1rem">Everything that was sent and received for this order since the shop was started, oldest first. Keys, card and personal data are masked. Times are UTC, by the gateway’s clock.</p>
${[...wire].sort((a, b) => a.at - b.at).map(wireEntry)}</section>
</div>`,
  })
}

/** Where a customer goes from here. */
function wayOn({ formUrl }: OrderView, label: OrderState['label']): Html | false {
  if (['Declined', 'Refused', 'Not sent', 'No payment page'].includes(label)) return html` <a href="/">Choose again</a>`
  const isOpen = label === 'Checking' && formUrl !== undefined
  return isOpen && html` If you left the payment page before paying, <a href="${formUrl}">continue there</a>.`
}

/** The page goes on by itself where scripts run. Without scripts, or when a customer is in a hurry, this asks. */
function lookAgain({ order, open }: OrderView): Html | false {
  const path = `/orders/${encodeURIComponent(order.clientOrderId)}`
  return open.length > 0 && html`<p><a class="button quiet" href="${path}">Ask the gateway again</a></p>`
}

function stageLine({ stage, status, outcome, amount, currency, errorMessage, corrections }: Stage): Html {
  const isGood = outcome === 'approved' && stage !== 'chargeback'
  const tone = outcome === undefined ? 'wait' : isGood ? 'good' : 'bad'
  return html`<li><b>${stage}</b><span class="pill ${tone}">${status}</span>
${errorMessage !== undefined && html`<span>${errorMessage}</span>`}
${corrections.map(({ to }) => html`<span class="pill bad">corrected to ${to}</span>`)}
<span class="money">${amount !== undefined && currency !== undefined && money(amount, currency)}</span></li>`
}

/** Sums of what status has confirmed. While a stage has no outcome, they say so. */
function totalsList({ currency, held, captured, returned }: OrderTotals, { stages }: Order): Html {
  const total = (name: string, amount: string) => html`<div><dt>${name}</dt><dd>${money(amount, currency)}</dd></div>`
  const isOpen = stages.some(({ outcome }) => outcome === undefined)
  return html`${isOpen && html`<p class="hint">Confirmed so far:</p>`}<dl class="totals" style="margin-top:1rem">${total('Held', held)}${total('Captured', captured)}${total('Returned', returned)}</dl>`
}

function actions({ order, open }: OrderView): Html {
  const allowed = open.length > 0 ? { capture: false, void: false, return: undefined } : allowedNow(order)
  const totals = orderTotals(order)
  const path = `/orders/${encodeURIComponent(order.clientOrderId)}`
  const disabled = (possible: boolean) => !possible && html`disabled`
  const amount = (id: string, label: string, placeholder: string | undefined, possible: boolean) =>
    html`<label for="${id}">${label}<input id="${id}" name="amount" inputmode="decimal" pattern="[0-9]+(\\.[0-9]{1,2})?" title="An amount such as 5 or 5.00" placeholder="${placeholder ?? ''}" autocomplete="off" ${disabled(possible)}></label>`
  const seen = html`<input type="hidden" name="stages" value="${order.stages.length}">`
  const isCancel = allowed.return === 'cancel'
  const canReturn = allowed.return !== undefined
  return html`<div class="actions">
<form method="post" action="${path}/capture">${seen}${amount('capture-amount', 'Amount to capture; empty for all', totals?.held, allowed.capture)}<button ${disabled(allowed.capture)}>Capture</button></form>
<form method="post" action="${path}/return">${seen}${amount('return-amount', isCancel ? 'Releases the whole hold' : 'Amount to return; empty for all', isCancel ? totals?.held : totals?.returnable, canReturn && !isCancel)}<button ${disabled(canReturn)}>${isCancel ? 'Cancel the hold' : 'Return'}</button></form>
<form method="post" action="${path}/void">${seen}<button class="quiet" ${disabled(allowed.void)}>Void</button></form>
</div>
<p class="hint">${canReturn || allowed.capture ? 'What is possible follows from the stages; one change at a time.' : 'Nothing can be done in this state.'}</p>`
}

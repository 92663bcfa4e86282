/**
 * One order: its state, what happened to its payment, the merchant's buttons, and everything that went over the wire.
 *
 * @module
 */
import type { OrderTotals, Payment, TimelineEntry } from '@tillkit/protocol'
import type { WireEntry } from '../wire-log.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { orderState } from './order-state.js'
import { orderVersion } from './order-version.js'
import { isUnderWay, type OrderView } from './order-view.js'
import { picture } from './picture.js'
import { clockTime, wireEntry } from './wire-entry.js'

/** What the page shows besides the order. */
export interface OrderPageOptions {
  readonly gatewayAddress: string
  readonly wire: readonly WireEntry[]
  /** Names this page: its buttons do once what they do, however often they are pressed. */
  readonly click: string
}

/** The page of one order. */
export function orderPage(view: OrderView, { gatewayAddress, wire, click }: OrderPageOptions): Html {
  const { order, payment } = view
  const { id, product, parcel, notice } = order
  const { label, tone, sentence } = orderState(view)
  const gatewayIds = payment.orders.flatMap(({ orderId }) => orderId ?? [])
  return layout({
    title: `Order ${id}`,
    gatewayAddress,
    script: '/order-page.js',
    body: html`
<div data-open="${isUnderWay(view) ? 'yes' : 'no'}" data-version="${orderVersion(view)}" id="order">
<div class="orderhead">${picture(product)}<div>
<h1>${product.name}</h1> <span class="pill ${tone}" role="status">${label}</span>
<p>Order ${id}${gatewayIds.length > 0 && html` · at the gateway ${gatewayIds.join(', ')}`} · ${money(product.price, product.currency)} · parcel ${parcel}</p>
</div></div>
${notice !== undefined && html`<p class="message bad" role="alert">${notice}</p>`}
<p class="message ${tone}">${sentence}</p>
${wayOn(view)}
<div class="columns">
<section class="panel"><h2>What happened</h2>${timeline(payment)}
${payment.totals !== undefined && totalsList(payment.totals, payment)}</section>
<section class="panel"><h2>For the merchant</h2>${actions(view, click)}</section>
</div>
<section class="wire"><h2>Over the wire</h2>
<p class="hint" style="margin:0 0 1rem">Everything that was sent and received for this order since the shop was started, oldest first. Keys, card and personal data are masked. Times are UTC, by the gateway’s clock.</p>
${wire.map(wireEntry)}</section>
</div>`,
  })
}

/** Where a customer goes from here. The page goes on by itself where scripts run; the link is for where they do not. */
function wayOn(view: OrderView): Html | false {
  const { order, payment } = view
  const label = payButtons[payment.state]
  const here = `/pay-here/${order.product.id}?after=${order.id}`
  const lookAgain =
    isUnderWay(view) &&
    payment.state !== 'unknown' &&
    html`<a class="button quiet" href="/orders/${order.id}">Look again</a>`
  const payHere = payment.state === 'declined' && order.kind === 'sale'
  return (
    (label !== undefined || lookAgain !== false) &&
    html`<div class="buttons way">
${label !== undefined && html`<form method="post" action="/orders/${order.id}/pay"><button>${label}</button></form>`}
${payHere && html`<a class="button quiet" href="${here}">Pay here, by card</a>`}${lookAgain}
</div>`
  )
}

/** What the button says that asks the till to pay: it is safe to press at any time. */
const payButtons: { readonly [State in Payment['state']]?: string } = {
  new: 'Pay',
  open: 'Go on with the payment',
  unknown: 'See how it stands',
  declined: 'Try another card',
  released: 'Pay again',
}

/** What the till keeps of a payment, in order. */
function timeline({ timeline }: Payment): Html {
  if (timeline.length === 0) return html`<p class="hint">Nothing yet.</p>`
  return html`<ol class="timeline">${timeline.map(entry => {
    const { at, text } = entry
    return html`<li class="is-${toneOf(entry)}"><span>${text}</span>${at !== undefined && clockTime(at)}</li>`
  })}</ol>`
}

/** Green for money that is there, red for what failed, amber for what is not known. */
function toneOf(entry: TimelineEntry): 'good' | 'bad' | 'wait' | 'plain' {
  if (entry.kind === 'status' && entry.outcome !== undefined) {
    return entry.outcome === 'approved' && entry.stage !== 'chargeback' ? 'good' : 'bad'
  }
  if (entry.kind === 'answer' && entry.ended !== 'accepted') return entry.ended === 'unknown' ? 'wait' : 'bad'
  return entry.kind === 'corrected' || entry.kind === 'restated' || entry.kind === 'crowded' ? 'bad' : 'plain'
}

/** Sums of what status has confirmed. While a change has no outcome, they say so. */
function totalsList({ currency, held, captured, returned }: OrderTotals, { underWay }: Payment): Html {
  const total = (name: string, amount: string) => html`<div><dt>${name}</dt><dd>${money(amount, currency)}</dd></div>`
  return html`${underWay.length > 0 && html`<p class="hint">Confirmed so far:</p>`}<dl class="totals">${total('Held', held)}${total('Captured', captured)}${total('Returned', returned)}</dl>`
}

function actions({ order: { id }, payment }: OrderView, click: string): Html {
  const { allowed, totals } = payment
  const path = `/orders/${id}`
  const disabled = (possible: boolean) => !possible && html`disabled`
  const amount = (field: string, label: string, placeholder: string | undefined, possible: boolean) =>
    html`<label for="${field}">${label}<input id="${field}" name="amount" inputmode="decimal" pattern="[0-9]+(\\.[0-9]{1,2})?" title="An amount such as 5 or 5.00" placeholder="${placeholder ?? ''}" autocomplete="off" ${disabled(possible)}></label>`
  const page = html`<input type="hidden" name="click" value="${click}">`
  const isCancel = allowed.return === 'cancel'
  const canReturn = allowed.return !== undefined
  if (payment.state === 'surplus') return giveBack(payment, { path, page })
  return html`<div class="actions">
<form method="post" action="${path}/capture">${page}${amount('capture-amount', 'Amount to capture; empty for all', totals?.held, allowed.capture)}<button ${disabled(allowed.capture)}>Capture</button></form>
<form method="post" action="${path}/return">${page}${amount('return-amount', isCancel ? 'Releases the whole hold' : 'Amount to return; empty for all', isCancel ? totals?.held : totals?.returnable, canReturn && !isCancel)}<button ${disabled(canReturn)}>${isCancel ? 'Cancel the hold' : 'Return'}</button></form>
<form method="post" action="${path}/void">${page}<button class="quiet" ${disabled(allowed.void)}>Void</button></form>
<form method="post" action="${path}/ask"><button class="quiet wide">Ask the gateway</button></form>
</div>
<p class="hint">${canReturn || allowed.capture ? 'The till says what is possible now; one change at a time, and none is sent twice.' : 'No change is possible now.'}</p>`
}

/** Two orders brought money: a person gives the later one back. */
function giveBack({ orders }: Payment, { path, page }: { readonly path: string; readonly page: Html }): Html {
  const later = orders.filter(({ standing }) => standing === 'approved').slice(1)
  return html`<div class="actions">${later.map(
    ({ clientOrderId }) =>
      html`<form method="post" action="${path}/return">${page}<input type="hidden" name="of" value="${clientOrderId}"><button>Give ${clientOrderId} back</button></form>`,
  )}</div>`
}

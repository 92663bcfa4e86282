/**
 * One order, as the merchant sees it: what happened to its payment, the buttons, and everything that went over the wire.
 *
 * @module
 */
import type { OrderTotals, Payment, TimelineEntry } from '@tillkit/protocol'
import type { WireEntry } from '../wire-log.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { orderHead } from './order-head.js'
import type { OrderView } from './order-view.js'
import { clockTime, wireEntry } from './wire-entry.js'

/** What the page shows besides the order. */
export interface MerchantPageOptions {
  readonly gatewayAddress: string
  readonly wire: readonly WireEntry[]
  /** Names this page: its buttons do once what they do, however often they are pressed. */
  readonly click: string
}

/** The page of one order. */
export function merchantPage(view: OrderView, { gatewayAddress, wire, click }: MerchantPageOptions): Html {
  const { order, payment } = view
  return layout({
    title: `Order ${order.id}, for the merchant`,
    gatewayAddress,
    script: '/order-page.js',
    body: orderHead(
      view,
      order.merchantNotice,
      html`<p class="hint" style="margin:0 0 1.25rem">For the merchant. <a href="/orders/${order.id}">What the customer sees</a>${atGateway(payment, gatewayAddress)}</p>
<div class="columns">
<section class="panel"><h2>What happened</h2>${timeline(payment)}
${payment.totals !== undefined && totalsList(payment.totals, payment)}</section>
<section class="panel"><h2>What you can do</h2>${actions(view, click)}</section>
</div>
<section class="wire"><h2>Over the wire</h2>
<p class="hint" style="margin:0 0 1rem">Everything that was sent and received for this order since the shop was started, oldest first. Keys, card and personal data are masked. Times are UTC, by the gateway’s clock.</p>
${wire.map(wireEntry)}</section>`,
    ),
  })
}

/** The same order on the screen of the fake gateway. */
function atGateway({ orders }: Payment, gatewayAddress: string): Html {
  const ids = orders.flatMap(({ orderId }) => orderId ?? [])
  return html`${ids.map(id => html` · <a href="${new URL(`/__gateway/orders/${id}`, gatewayAddress).href}">At the gateway: ${id}</a>`)}`
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
  const path = `/merchant/orders/${id}`
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

/** One order, as the merchant sees it: what happened to its payment, and the buttons. */
import type { OrderTotals, Payment, PaymentQuestion, TimelineEntry } from '@tillkit/till'
import { decisionForms } from './decision-forms.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { money } from './money.js'
import { noticeOf, orderHead } from './order-head.js'
import { isUnderWay, type OrderView } from './order-view.js'

/** What the page shows besides the order. */
export interface MerchantPageOptions {
  readonly gatewayAddress: string
  /** The dashboard of the gateway, where the shop has started one of its own. */
  readonly dashboard: URL | undefined
  /** What only a person can end. */
  readonly questions: readonly PaymentQuestion[]
  /** Names this page: its buttons do once what they do, however often they are pressed. */
  readonly click: string
}

/** The page of one order. */
export function merchantPage(view: OrderView, options: MerchantPageOptions): Html {
  const { order, payment } = view
  const { gatewayAddress, dashboard, questions, click } = options
  const path = `/merchant/orders/${order.id}`
  return layout({
    title: `Order ${order.id}, for the merchant`,
    gatewayAddress,
    script: '/order-page.js',
    body: orderHead(
      view,
      'merchant',
      html`<p class="hint" style="margin:0 0 1.25rem">For the merchant.
<a href="/orders/${order.id}">What the customer sees</a>${atGateway(payment, dashboard)}</p>
<div class="columns">
<section class="panel"><h2>What you can do</h2>${noticeOf(order.merchantNotice)}
${payment.needsPerson !== undefined && decisionForms(questions, path)}${actions(view, path, click)}</section>
<section class="panel"><h2>What happened</h2>${timeline(payment)}
${payment.totals !== undefined && totalsList(payment.totals, payment)}</section>
</div>`,
    ),
  })
}

/** The same order on the dashboard of the gateway. */
function atGateway({ orders }: Payment, dashboard: URL | undefined): Html | false {
  const ids = orders.flatMap(({ orderId }) => orderId ?? [])
  return (
    dashboard !== undefined &&
    html`${ids.map(id => html` · <a href="${new URL(`orders/${id}`, dashboard).href}">At the gateway: ${id}</a>`)}`
  )
}

/** What the till keeps of a payment, in order. */
function timeline({ timeline }: Payment): Html {
  if (timeline.length === 0) return html`<p class="hint">Nothing yet.</p>`
  return html`<ol class="timeline">${timeline.map((entry, index) => {
    const { at, text } = entry
    const time = at !== undefined && clockTime(at, timeline[index - 1]?.at)
    return html`<li class="is-${toneOf(entry)}"><span dir="auto">${text}</span>${time}</li>`
  })}</ol>`
}

/** Green for money that is there, red for what failed, amber for what is not known. */
function toneOf(entry: TimelineEntry): 'good' | 'bad' | 'wait' | 'plain' {
  if (entry.kind === 'status' && entry.outcome !== undefined) {
    return entry.outcome === 'approved' && entry.stage !== 'chargeback' ? 'good' : 'bad'
  }
  if (entry.kind === 'answered' && entry.ended !== 'accepted') return entry.ended === 'unknown' ? 'wait' : 'bad'
  return entry.kind === 'corrected' || entry.kind === 'restated' || entry.kind === 'full' ? 'bad' : 'plain'
}

/** Sums of what status has confirmed. While a change has no outcome, they say so. */
function totalsList({ currency, held, captured, returned }: OrderTotals, { underWay }: Payment): Html {
  const total = (name: string, amount: string) => html`<div><dt>${name}</dt><dd>${money(amount, currency)}</dd></div>`
  return html`${underWay.length > 0 && html`<p class="hint">Confirmed so far:</p>`}
<dl class="totals">${total('Held', held)}${total('Captured', captured)}${total('Returned', returned)}</dl>`
}

/** Only what the till says is possible now, and asking, which always is. */
function actions(view: OrderView, path: string, click: string): Html {
  const { payment } = view
  const { allowed, totals } = payment
  const form = (name: string, inside: Html) =>
    html`<form method="post" action="${path}/${name}"><input type="hidden" name="click" value="${click}">${inside}</form>`
  const amountForm = (name: string, button: string, all = '') =>
    form(
      name,
      html`<label>Amount to ${name}; empty for all<input name="amount" id="${name}-amount" inputmode="decimal"
pattern="[0-9]+(\\.[0-9]{1,2})?" title="An amount such as 5 or 5.00" placeholder="${all}" autocomplete="off"></label>
<button>${button}</button>`,
    )
  const isCancel = allowed.return === 'cancel'
  return html`<div class="actions">
${allowed.capture && amountForm('capture', 'Capture', totals?.held)}
${allowed.return !== undefined && !isCancel && amountForm('return', 'Return', totals?.returnable)}
${isCancel && form('return', html`<button class="quiet wide">Cancel the hold</button>`)}
${allowed.void && form('void', html`<button class="quiet">Void</button>`)}
${payment.state === 'surplus' && giveBack(payment, form)}
<form method="post" action="${path}/ask"><button class="quiet wide">${isUnderWay(view) ? 'Ask again' : 'Ask the gateway'}</button></form>
</div>
<p class="hint">The till says what is possible now: one change at a time, and none is sent twice.</p>`
}

/** Two orders brought money: a person gives the later one back. */
function giveBack({ orders }: Payment, form: (name: string, inside: Html) => Html): Html {
  const later = orders.filter(({ standing }) => standing === 'approved').slice(1)
  return html`${later.map(({ clientOrderId }) =>
    form(
      'return',
      html`<input type="hidden" name="of" value="${clientOrderId}"><button class="wide">Give ${clientOrderId} back</button>`,
    ),
  )}`
}

/** A time in UTC, with its day where that is another one than that of the time before. @param at Milliseconds since the epoch. */
function clockTime(at: number, before?: number): Html {
  const iso = new Date(at).toISOString()
  const isSameDay = before !== undefined && new Date(before).toISOString().slice(0, 10) === iso.slice(0, 10)
  return html`<time datetime="${iso}" title="${iso}">${isSameDay ? '' : `${iso.slice(0, 10)} `}${iso.slice(11, 23)}</time>`
}

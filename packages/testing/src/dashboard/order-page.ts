/**
 * The page of one order: its stages, what may be done to it, its callbacks and its requests.
 *
 * @module
 */
import type { WrittenAnswer } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'
import { callbackSignature } from '../inspection/callback-signature.js'
import { callsOfOrder } from '../inspection/calls-of-order.js'
import { shownDelivery } from '../inspection/shown-delivery.js'
import { shownOrder } from '../inspection/shown-order.js'
import type { StageView } from '../order-view.js'
import { type Html, html } from '../pages/html.js'
import type { Order } from '../transactions.js'
import { callsTable } from './calls-table.js'
import { dashboardPage } from './layout.js'
import { writeHttpStatus, writeStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { orderActionsPanel } from './order-actions-panel.js'
import { signaturePart } from './signature-part.js'
import { writeFacts, writeNamed, writeTable } from './table.js'

/** An order to show. */
export interface OrderPage {
  readonly order: Order
  readonly gateway: GatewayState
  readonly notice?: string | undefined
}

/** Writes the page. */
export function orderPage({ order, gateway, notice }: OrderPage): WrittenAnswer {
  const view = shownOrder(order, gateway)
  const { card } = view
  return dashboardPage({
    title: `Order ${view.clientOrderId}`,
    gateway,
    notice,
    content: html`<h1>Order ${view.clientOrderId}</h1>
<section aria-labelledby="facts-heading"><h2 id="facts-heading">What it is</h2>
${writeFacts([
  ["The gateway's id", view.orderId],
  ['Description', view.description],
  ['E-mail', view.email],
  ['Card', card === undefined ? undefined : `${card.brand} ${card.bin}******${card.lastFourDigits}`],
  ['Callback to', view.callbackUrl],
  ['All callbacks to', view.notifyUrl],
  ['Customer returns to', view.redirectUrl && shorten(view.redirectUrl)],
])}</section>
<section aria-labelledby="stages-heading"><h2 id="stages-heading">Stages</h2>
<div id="stages" data-live>${stagesTable(view.stages, view.currency)}</div></section>
<section aria-labelledby="actions-heading"><h2 id="actions-heading">Do something to it</h2>
<p class="soft">What no request asks for: the acquirer decides, the cardholder's bank takes money back.</p>
<div id="actions" data-live>${orderActionsPanel(view)}</div></section>
<section aria-labelledby="deliveries-heading"><h2 id="deliveries-heading">Callbacks</h2>
<div id="deliveries" data-live>${deliveries(order, gateway)}</div></section>
<section aria-labelledby="requests-heading"><h2 id="requests-heading">Requests</h2>
<div id="requests" data-live>${callsTable(callsOfOrder(order, gateway))}</div></section>`,
  })
}

/** A state that travels in an address makes it long. */
const shorten = (address: string): string => (address.length > 100 ? `${address.slice(0, 100)}…` : address)

const stagesTable = (stages: readonly StageView[], currency = ''): Html =>
  writeTable({
    caption: 'Stages',
    head: ['Stage', 'Status', 'Amount', 'Why', '3DS', 'Asked with', 'Since'],
    empty: '',
    rows: stages.map(stage => [
      html`${stage.stage}`,
      writeStatus(stage),
      html`${stage.amount === undefined ? '' : `${stage.amount} ${currency}`}`,
      html`${stage.errorMessage ?? stage.comment ?? ''}`,
      html`${stage.threeDSecure ?? ''}`,
      html`${stage.operation ?? 'nobody asked'}`,
      writeMoment(stage.createdAt),
    ]),
  })

function deliveries({ orderId }: Order, gateway: GatewayState): Html {
  const own = gateway.courier.list().filter(delivery => delivery.orderId === orderId)
  if (own.length === 0) return html`<p class="empty">None was sent.</p>`
  const parts = own.toReversed().map((delivery, index) => {
    const { at, attempt, httpStatus, error, url, parameters } = shownDelivery(delivery, gateway)
    return html`<details id="delivery-${String(own.length - index)}"><summary>${writeMoment(at)} delivery ${String(attempt)}: ${writeHttpStatus(httpStatus)} ${error ?? ''}</summary>
<p>To <code>${url.split('?')[0] ?? url}</code></p>
${writeNamed(parameters, 'Parameters of the callback')}
<h3>Its control value</h3>
${signaturePart(callbackSignature(delivery, gateway))}
</details>
`
  })
  return html`${parts}`
}

/**
 * The page of one order: its stages, what may be done to it, its callbacks and its requests.
 *
 * @module
 */

import type { StageView } from '@tillkit/testing'
import { type GatewayState, type Html, html, type Order, type WrittenAnswer } from '@tillkit/testing/gateway'
import { callsOfOrder } from '../inspection/calls-of-order.js'
import { customerPage } from '../inspection/customer-page.js'
import { shownOrder } from '../inspection/shown-order.js'
import { callbacksPart } from './callbacks-part.js'
import { callsTable } from './calls-table.js'
import { dashboardPage } from './layout.js'
import { writeStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { orderActionsPanel } from './order-actions-panel.js'
import { writeFacts, writeTable } from './table.js'

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
  const waitsAt = customerPage(order, gateway)
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
])}
<div id="waits" data-live>${waitsAt && html`<a href="${waitsAt}">Open the page that waits for the customer</a>`}</div></section>
<section aria-labelledby="stages-heading"><h2 id="stages-heading">Stages</h2>
<div id="stages" data-live>${stagesTable(view.stages, view.currency)}</div></section>
<section aria-labelledby="actions-heading"><h2 id="actions-heading">Do something to it</h2>
<p class="soft">What no request asks for: the acquirer decides, the cardholder's bank takes money back.</p>
<div id="actions" data-live>${orderActionsPanel(view)}</div></section>
<section aria-labelledby="callbacks-heading"><h2 id="callbacks-heading">Callbacks</h2>
<div id="callbacks" data-live>${callbacksPart(order.orderId, gateway)}</div></section>
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

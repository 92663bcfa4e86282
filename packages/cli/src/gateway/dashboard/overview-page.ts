/**
 * The first page of the dashboard: orders, requests and callbacks as they come, the clock and the faults.
 *
 * @module
 */

import { type GatewayState, type Html, html, type WrittenAnswer } from '@tillkit/testing/gateway'
import { shownOrder } from '../inspection/shown-order.js'
import { callsTable } from './calls-table.js'
import { clockPanel } from './clock-panel.js'
import { writeControlForm } from './control-form.js'
import { deliveriesTable } from './deliveries-table.js'
import { faultsPanel } from './faults-panel.js'
import { dashboardPage } from './layout.js'
import { ordersTable } from './orders-table.js'
import { outcomesPanel } from './outcomes-panel.js'

/** Most rows of a table. */
const mostRows = 50

/** Writes the page. */
export function overviewPage(gateway: GatewayState, notice?: string): WrittenAnswer {
  const { orders, log, callbackSender, faults, outcomes, clock, settings } = gateway
  const [allOrders, allCalls, deliveries] = [orders.orders(), log.list(), callbackSender.list()]
  const counts = `${count(allOrders.length, 'order')}, ${count(allCalls.length, 'request')}, ${count(deliveries.length, 'callback')}`
  return dashboardPage({
    title: 'Overview',
    gateway,
    notice,
    content: html`<h1>Overview</h1>
<p id="counts" data-live role="status" class="soft">${counts}; each list shows the latest ${String(mostRows)}.</p>
<div class="columns"><div>
${part('Orders', ordersTable(allOrders.slice(-mostRows).map(order => shownOrder(order, gateway))))}
${part('Requests', callsTable(allCalls.slice(-mostRows)))}
${part('Callbacks', deliveriesTable(deliveries.slice(-mostRows)))}
</div><aside aria-label="Controls">
${clockPanel(clock.now())}
${faultsPanel(faults.armed(), Object.keys(settings.operations))}
${outcomesPanel(outcomes.planned(), Object.keys(settings.operations))}
<section aria-labelledby="reset-heading"><h2 id="reset-heading">Start again</h2>
<p>Forgets orders, cards, requests, callbacks, handlers, faults and planned outcomes.</p>
${writeControlForm({ route: 'reset', page: '', content: html`<button class="danger">Reset</button>` })}</section>
</aside></div>`,
  })
}

function part(title: string, content: Html): Html {
  const id = title.toLowerCase()
  return html`<section aria-labelledby="${id}-heading"><h2 id="${id}-heading">${title}</h2>
<div id="${id}" data-live>${content}</div></section>`
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

import { sandboxCodes, type WaitingOutcome } from '@tillkit/testing'
import {
  type GatewayState,
  groupDigits,
  type Html,
  html,
  plannableOutcomes,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { collapse } from '../inspection/find.js'
import { shownOrder } from '../inspection/orders.js'
import { clearable, faultsPanel, often } from './faults-panel.js'
import { writeControlForm, writeInput, writeLive, writeSection, writeSelect } from './look/elements.js'
import { dashboardPage, dashboardPath } from './look/layout.js'
import { callsTable, deliveriesTable, ordersTable } from './tables.js'

/** Most rows of a table. */
const mostRows = 15

/** The first page: orders, requests and callbacks as they come, the clock, the faults and the outcomes. */
export function overviewPage(gateway: GatewayState, notice?: string): WrittenAnswer {
  const { orders, log, callbackSender, outcomes, clock, settings } = gateway
  const [allOrders, allCalls, deliveries] = [orders.orders(), log.list(), callbackSender.list()]
  const counts = `${count(allOrders.length, 'order')}, ${count(allCalls.length, 'request')}, ${count(deliveries.length, 'callback')}`
  const isFull = allCalls.length >= settings.maxCalls
  const full = isFull ? ` The log keeps the latest ${groupDigits(String(settings.maxCalls))} requests.` : ''
  return dashboardPage({
    title: 'Overview',
    at: '',
    gateway,
    notice,
    content: html`<h1>Overview</h1>
<p id="counts" data-live class="soft">${counts}; each list shows the latest ${String(mostRows)}.
Find the others: <a href="${dashboardPath}orders">orders</a>, <a href="${dashboardPath}requests">requests</a>.${full}</p>
<p class="to-controls"><a href="#controls">Clock and faults</a></p>
<div class="columns"><div>
${part('Orders', ordersTable(allOrders.slice(-mostRows).map(order => shownOrder(order, gateway))))}
${part('Requests', callsTable(collapse(allCalls, mostRows), gateway))}
${part('Callbacks', deliveriesTable(deliveries.slice(-mostRows), gateway))}
</div><aside id="controls" aria-label="Controls">
${clockPanel(clock.now())}
${faultsPanel(gateway)}
${outcomesPanel(outcomes.planned(), Object.keys(settings.operations))}
${writeSection('reset', 'Start again', startAgain)}
</aside></div>`,
  })
}

/** What is lost is said first, and takes a second press. */
const startAgain = html`<details id="reset-all"><summary>Reset…</summary>
<p>Forgets orders, cards, requests, callbacks, handlers, faults and planned outcomes. None of it comes back.</p>
${writeControlForm('reset', html`<button class="danger">Forget all of it</button>`)}</details>`

function part(title: string, content: Html): Html {
  const id = title.toLowerCase()
  return writeSection(id, title, writeLive(id, content))
}

const count = (number: number, what: string): string =>
  `${groupDigits(String(number))} ${what}${number === 1 ? '' : 's'}`

const second = 1_000
const steps: readonly (readonly [text: string, milliseconds: number])[] = [
  ['10 seconds', 10 * second],
  ['1 minute', 60 * second],
  ['1 hour', 3_600 * second],
  ['1 day', 86_400 * second],
  ['14 days', 14 * 86_400 * second],
]

function clockPanel(now: number): Html {
  const buttons = steps.map(
    ([text, milliseconds]) =>
      html`<button class="quiet" name="milliseconds" value="${String(milliseconds)}"
aria-label="Advance the clock by ${text}">+ ${text}</button>`,
  )
  const content = html`<p class="now"><time data-clock>${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}</time> UTC</p>
${writeControlForm('advanceClock', html`${buttons}`, { sends: { page: '' }, look: 'line steps' })}`
  return writeSection('clock', 'Clock', content)
}

function outcomesPanel(planned: readonly WaitingOutcome[], operations: readonly string[]): Html {
  const lines = planned.map(({ outcome, operation = 'any operation', amount, clientOrderId, times }) => {
    const money = amount === undefined ? '' : ` of ${amount}`
    const order = clientOrderId === undefined ? '' : ` of the order ${clientOrderId}`
    return html`<code>${outcome}</code> for ${operation}${money}${order}, ${often(times)}`
  })
  const none = 'Nothing is planned: the CVV2 decides.'
  const inputs = html`${writeSelect('outcome', 'Outcome', plannableOutcomes)}
${writeSelect('operation', 'Of the operation', ['any', ...operations], 'outcome-operation')}
<div class="pair">${writeInput('amount', 'Of the amount', { hint: 'any', inputMode: 'decimal' })}
${writeInput('times', 'How often', { id: 'outcome-times', hint: '1', inputMode: 'numeric' })}</div>
${writeInput('clientOrderId', 'Of the order', { hint: 'any' })}
<button>Plan</button>`
  const content = html`${writeLive('outcomes', clearable(lines, { none, route: 'clearOutcomes', button: 'Forget all' }))}
${writeControlForm('planOutcome', inputs, { look: 'stack' })}
<details id="security-codes"><summary>What each CVV2 does where nothing is planned</summary>
<dl>${sandboxCodes.map(({ cvv2, text }) => html`<dt><code>${cvv2}</code></dt><dd>${text}</dd>`)}
<dt>other</dt><dd>declined</dd></dl></details>
`
  return writeSection('outcomes', 'What decides a payment', content)
}

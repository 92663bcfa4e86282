import { type ArmedFault, type FaultName, faultTable, sandboxCodes, type WaitingOutcome } from '@tillkit/testing'
import {
  faultNames,
  type GatewayState,
  type Html,
  html,
  plannableOutcomes,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { shownOrder } from '../inspection/orders.js'
import { writeControlForm, writeInput, writeLive, writeMoment, writeSection, writeSelect } from './elements.js'
import { dashboardPage } from './layout.js'
import { callsTable, deliveriesTable, ordersTable } from './tables.js'

/** Most rows of a table. */
const mostRows = 50

/** The first page: orders, requests and callbacks as they come, the clock, the faults and the outcomes. */
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
${writeSection('reset', 'Start again', startAgain)}
</aside></div>`,
  })
}

const startAgain = html`<p>Forgets orders, cards, requests, callbacks, handlers, faults and planned outcomes.</p>
${writeControlForm({ route: 'reset', content: html`<button class="danger">Reset</button>` })}`

function part(title: string, content: Html): Html {
  const id = title.toLowerCase()
  return writeSection(id, title, writeLive(id, content))
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

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
      html`<button class="quiet" name="milliseconds" value="${String(milliseconds)}" aria-label="Advance the clock by ${text}">+ ${text}</button>`,
  )
  const content = html`<p id="clock" data-live>${writeMoment(now)} UTC</p>
${writeControlForm({ route: 'advanceClock', content: html`${buttons}` })}`
  return writeSection('clock', 'Clock', content)
}

function faultsPanel(armed: readonly ArmedFault[], operations: readonly string[]): Html {
  const inputs = html`${writeSelect({ id: 'fault', name: 'fault', label: 'Fault', options: faultNames })}
${writeSelect({ id: 'operation', name: 'operation', label: 'Operation', options: operations, any: true })}
<div class="pair">${writeInput({ id: 'times', name: 'times', label: 'Times', hint: '1', inputMode: 'numeric' })}
${writeInput({ id: 'probability', name: 'probability', label: 'Probability', hint: '1', inputMode: 'decimal' })}</div>
${writeInput({ id: 'delay', name: 'delay', label: 'Delay in milliseconds', hint: "the fault's own", inputMode: 'numeric' })}
${writeInput({ id: 'fault-status', name: 'status', label: 'Status word, for faults that take one', hint: "the fault's own" })}
<button>Arm</button>`
  const content = html`${writeLive('faults', writeArmed(armed))}
${writeControlForm({ route: 'armFault', look: 'stack', content: inputs })}
<details id="fault-table"><summary>What each fault does</summary><dl class="stacked">${faultNames.map(explain)}</dl></details>
`
  return writeSection('faults', 'Faults', content)
}

const explain = (name: FaultName): Html => html`<dt><code>${name}</code></dt><dd>${faultTable[name].does}</dd>`

function writeArmed(armed: readonly ArmedFault[]): Html {
  if (armed.length === 0) return html`<p class="empty">None is armed.</p>`
  const lines = armed.map(
    fault => html`<li><code>${fault.fault}</code> for ${fault.operation ?? 'any operation'}, ${strikes(fault)}</li>`,
  )
  return html`<ul>${lines}</ul>
<div class="after">${writeControlForm({ route: 'clearFaults', content: html`<button class="quiet">Disarm all</button>` })}</div>`
}

function strikes({ times, probability, struck }: ArmedFault): string {
  const often = times === undefined ? 'without end' : times === 1 ? 'once more' : `${times} times more`
  const likely = probability === undefined ? '' : ` with probability ${probability}`
  return `${often}${likely}${struck === 0 ? '' : `, struck ${struck} times`}`
}

function outcomesPanel(planned: readonly WaitingOutcome[], operations: readonly string[]): Html {
  const inputs = html`${writeSelect({ id: 'outcome', name: 'outcome', label: 'Outcome', options: plannableOutcomes })}
${writeSelect({ id: 'outcome-operation', name: 'operation', label: 'Of the operation', options: operations, any: true })}
<div class="pair">${writeInput({ id: 'outcome-amount', name: 'amount', label: 'Of the amount', hint: 'any', inputMode: 'decimal' })}
${writeInput({ id: 'outcome-times', name: 'times', label: 'How often', hint: '1', inputMode: 'numeric' })}</div>
${writeInput({ id: 'outcome-order', name: 'clientOrderId', label: 'Of the order', hint: 'any' })}
<button>Plan</button>`
  const content = html`${writeLive('outcomes', writePlanned(planned))}
${writeControlForm({ route: 'planOutcome', look: 'stack', content: inputs })}
<details id="security-codes"><summary>What each CVV2 does where nothing is planned</summary>
<dl>${sandboxCodes.map(({ cvv2, text }) => html`<dt><code>${cvv2}</code></dt><dd>${text}</dd>`)}<dt>other</dt><dd>declined</dd></dl></details>
`
  return writeSection('outcomes', 'What decides a payment', content)
}

function writePlanned(planned: readonly WaitingOutcome[]): Html {
  if (planned.length === 0) return html`<p class="empty">Nothing is planned: the CVV2 decides.</p>`
  const lines = planned.map(each => html`<li><code>${each.outcome}</code> for ${whatFor(each)}, ${decides(each)}</li>`)
  return html`<ul>${lines}</ul>
<div class="after">${writeControlForm({ route: 'clearOutcomes', content: html`<button class="quiet">Forget all</button>` })}</div>`
}

function whatFor({ operation = 'any operation', amount, clientOrderId }: WaitingOutcome): string {
  const money = amount === undefined ? '' : ` of ${amount}`
  return `${operation}${money}${clientOrderId === undefined ? '' : ` of the order ${clientOrderId}`}`
}

function decides({ times }: WaitingOutcome): string {
  if (times === undefined) return 'without end'
  return times === 1 ? 'once' : `${times} times`
}

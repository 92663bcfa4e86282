import type { OrderActionName, OrderView, StageView } from '@tillkit/testing'
import { type GatewayState, type Html, html, type Order, type WrittenAnswer } from '@tillkit/testing/gateway'
import { collapse } from '../inspection/find.js'
import { type Callback, callbacksOfOrder, callsOfOrder, customerPage, shownOrder } from '../inspection/orders.js'
import { callbackSignature } from '../inspection/signatures.js'
import {
  writeControlForm,
  writeFacts,
  writeHttpStatus,
  writeInput,
  writeLive,
  writeMoment,
  writeNamed,
  writeSection,
  writeSelect,
  writeStatus,
  writeTable,
} from './look/elements.js'
import { dashboardPage } from './look/layout.js'
import { callsTable, deliveriesTable, signaturePart } from './tables.js'

/** The page of one order: its stages, what may be done to it, its callbacks and its requests. */
export function orderPage(order: Order, gateway: GatewayState, notice?: string): WrittenAnswer {
  const view = shownOrder(order, gateway)
  const { card } = view
  const waitsAt = customerPage(order, gateway)
  const link = waitsAt && html`<a href="${waitsAt}">Open the page that waits for the customer</a>`
  const facts = html`${writeFacts([
    ["The gateway's id", view.orderId],
    ['Description', view.description],
    ['E-mail', view.email],
    ['Card', card === undefined ? undefined : `${card.brand} ${card.bin}******${card.lastFourDigits}`],
    ['Callback to', view.callbackUrl],
    ['All callbacks to', view.notifyUrl],
    ['Customer returns to', view.redirectUrl && shorten(view.redirectUrl)],
  ])}
${writeLive('waits', link || undefined)}`
  const actions = html`<p class="soft">What no request asks for: the acquirer decides, the cardholder's bank takes money back.</p>
${writeLive('actions', orderActionsPanel(view, callbacksOfOrder(order.orderId, gateway).length > 0))}`
  return dashboardPage({
    title: `Order ${view.clientOrderId}`,
    gateway,
    notice,
    content: html`<h1>Order ${view.clientOrderId}</h1>
${writeSection('facts', 'What it is', facts)}
${writeSection('stages', 'Stages', writeLive('stages', stagesTable(view.stages, view.currency)))}
${writeSection('actions', 'Do something to it', actions)}
${writeSection('callbacks', 'Callbacks', writeLive('callbacks', callbacksPart(order.orderId, gateway)))}
${writeSection('requests', 'Requests', writeLive('requests', callsTable(collapse(callsOfOrder(order, gateway)), gateway)))}`,
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
      stage.stage,
      writeStatus(stage),
      stage.amount && `${stage.amount} ${currency}`,
      stage.errorMessage ?? stage.comment,
      stage.threeDSecure,
      stage.operation ?? 'no request',
      writeMoment(stage.createdAt),
    ]),
  })

/** Inputs and button of each action. */
const contents: { readonly [Name in OrderActionName]: Html } = {
  approve: html`<button>Approve</button>`,
  decline: html`<button class="danger">Decline</button>`,
  correct: html`${writeSelect('status', 'Correct the final status to', ['approved', 'declined', 'filtered', 'error'])}<button>Correct</button>`,
  reverse: html`${amountInput('reverse-amount', 'Amount to reverse')}<button>Reverse</button>`,
  'charge-back': html`${amountInput('charge-back-amount', 'Amount to charge back')}<button class="danger">Charge back</button>`,
}

function amountInput(id: string, label: string): Html {
  return writeInput('amount', label, { id, hint: 'all', inputMode: 'decimal' })
}

function orderActionsPanel({ orderId, actions }: OrderView, wasCalledBack: boolean): Html {
  const sends = { id: orderId, page: `orders/${orderId}` }
  const forms = actions.map(action => writeControlForm('actOnOrder', contents[action], { sends: { ...sends, action } }))
  const resend = writeControlForm('resendCallback', html`<button class="quiet">Resend the callback</button>`, { sends })
  return html`<div class="actions">${forms}${wasCalledBack ? resend : undefined}</div>`
}

/** The callbacks, the newest first, each with its deliveries and its control value taken apart. */
function callbacksPart(orderId: string, gateway: GatewayState): Html {
  const callbacks = callbacksOfOrder(orderId, gateway)
  if (callbacks.length === 0) return html`<p class="empty">None was sent.</p>`
  return html`${callbacks.map((callback, index) => part(callback, `callback-${index + 1}`, gateway)).toReversed()}`
}

function part(callback: Callback, id: string, gateway: GatewayState): Html {
  const [first] = callback
  const last = callback.at(-1) ?? first
  const { parameters } = first
  const { callbackParameters, unsignedParameters } = gateway.settings.profile
  const sent = new Map(parameters)
  const names = [unsignedParameters.value.transactionType ?? 'type', callbackParameters.value.status]
  const about = names.flatMap(name => sent.get(name) ?? []).join(' ')
  const count = `${callback.length} ${callback.length === 1 ? 'delivery' : 'deliveries'}`
  return html`<details id="${id}"><summary>${about}: ${count}, ${callback.length === 1 ? '' : 'the last one '}${writeHttpStatus(last.httpStatus)}</summary>
${deliveriesTable(callback, 'Deliveries')}
<h3>Parameters</h3>
${writeNamed(parameters, 'Parameters of the callback')}
<h3>Its control value</h3>
${signaturePart(callbackSignature(first, gateway), { id: `${id}-covered` })}
</details>
`
}

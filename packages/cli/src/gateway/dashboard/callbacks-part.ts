/**
 * The callbacks of an order, each with its deliveries and its control value taken apart.
 *
 * @module
 */
import type { CallbackDelivery } from '@tillkit/testing'
import { type GatewayState, type Html, html } from '@tillkit/testing/gateway'
import { callbackSignature } from '../inspection/callback-signature.js'
import { type Callback, callbacksOfOrder } from '../inspection/callbacks-of-order.js'
import { writeHttpStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { signaturePart } from './signature-part.js'
import { writeNamed, writeTable } from './table.js'

/** Writes the callbacks, the newest first. */
export function callbacksPart(orderId: string, gateway: GatewayState): Html {
  const callbacks = callbacksOfOrder(orderId, gateway)
  if (callbacks.length === 0) return html`<p class="empty">None was sent.</p>`
  return html`${callbacks.map((callback, index) => part(callback, { id: `callback-${index + 1}`, gateway })).toReversed()}`
}

function part(callback: Callback, { id, gateway }: { readonly id: string; readonly gateway: GatewayState }): Html {
  const [first] = callback
  const last = callback.at(-1) ?? first
  const { url, parameters } = first
  const { status, transactionType } = namesOf(gateway)
  const sent = new Map(parameters)
  const about = [sent.get(transactionType), sent.get(status)].filter(word => word !== undefined).join(' ')
  const count = `${callback.length} ${callback.length === 1 ? 'delivery' : 'deliveries'}`
  return html`<details id="${id}"><summary>${about}: ${count}, ${callback.length === 1 ? '' : 'the last one '}${writeHttpStatus(last.httpStatus)}</summary>
<p>To <code>${url.split('?')[0] ?? url}</code></p>
${deliveriesTable(callback)}
<h3>Parameters</h3>
${writeNamed(parameters, 'Parameters of the callback')}
<h3>Its control value</h3>
${signaturePart(callbackSignature(first, gateway))}
</details>
`
}

function namesOf({ settings }: GatewayState) {
  const { callbackParameters, unsignedParameters } = settings.profile
  return {
    status: callbackParameters.value.status,
    transactionType: unsignedParameters.value.transactionType ?? 'type',
  }
}

const deliveriesTable = (deliveries: readonly CallbackDelivery[]): Html =>
  writeTable({
    caption: 'Deliveries',
    head: ['Delivery', 'Time', 'Answer', 'Why not'],
    empty: '',
    rows: deliveries.map(({ attempt, at, httpStatus, error }) => [
      html`${String(attempt)}`,
      writeMoment(at),
      writeHttpStatus(httpStatus),
      html`${error ?? ''}`,
    ]),
  })

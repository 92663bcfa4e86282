import type { CallbackDelivery, ComparedSignature, OrderView, StageView } from '@tillkit/testing'
import { type GatewayState, type Html, html } from '@tillkit/testing/gateway'
import type { CallLine } from '../inspection/find.js'
import { orderOfCall } from '../inspection/orders.js'
import type { SignatureView } from '../inspection/signatures.js'
import { comparedPart } from '../signatures/call-signature.js'
import { writeCopyable } from '../signatures/copyable.js'
import { writeAgo, writeHttpStatus, writeNamed, writeStatus, writeTable } from './look/elements.js'
import { callAddress, orderAddress } from './look/layout.js'

/** Writes orders, the newest first. */
export const ordersTable = (orders: readonly OrderView[]): Html =>
  writeTable({
    caption: 'Orders',
    head: ['Order', 'Amount', 'Stages', 'Card', 'Since'],
    empty: 'No orders yet. Send a request to the address above.',
    keys: orders.map(({ orderId }) => orderId).toReversed(),
    rows: orders.toReversed().map(({ orderId, clientOrderId, currency = '', card, stages }) => {
      const [first] = stages
      return [
        html`<a href="${orderAddress(orderId)}">${clientOrderId}</a>`,
        first?.amount && `${first.amount} ${currency}`,
        html`${stages.map(stageLine)}`,
        card && `${card.brand} ${card.lastFourDigits}`,
        first && writeAgo(first.createdAt),
      ]
    }),
  })

/** The amount of the first stage is the order's. */
const stageLine = (stage: StageView, index: number): Html =>
  html`<div>${stage.stage} ${index === 0 ? undefined : stage.amount} ${writeStatus(stage)}</div>`

/** Writes lines of calls as they are given, the newest first. */
export const callsTable = (lines: readonly CallLine[], gateway: GatewayState): Html =>
  writeTable({
    caption: 'Requests',
    head: ['Request', 'Order', 'Answer', 'Fault', 'Time'],
    empty: 'No requests yet.',
    keys: lines.map(({ first }) => String(first)),
    rows: lines.map(({ call, count }) => {
      const { number, operation, path, verdict, explanation, reply = {}, httpStatus, fault, at } = call
      const { status, errorMessage } = gateway.settings.profile.replyFields.value
      const order = orderOfCall(call, gateway)
      const answered = reply[status[0] ?? '']
      const why = shorten(explanation ?? reply[errorMessage[0] ?? ''])
      return [
        html`<a href="${callAddress(number)}">${String(number)} ${operation ?? path}</a>${count > 1 ? ` × ${count}` : undefined}`,
        order && html`<a href="${orderAddress(order.orderId)}">${order.clientOrderId}</a>`,
        html`${writeHttpStatus(httpStatus, 'hung up')} ${verdict === 'accepted' ? answered : verdict}${why && html`<div class="why">${why}</div>`}`,
        fault,
        writeAgo(at),
      ]
    }),
  })

/** The page of a request has all of it. */
const shorten = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > 120 ? `${text.slice(0, 120)}…` : text

/** What stays the same about each delivery. One that was sent twice at once is counted. */
function keysOf(deliveries: readonly CallbackDelivery[]): readonly string[] {
  const keys = deliveries.map(({ orderId, attempt, at, status }) => `${orderId} ${status} ${attempt} ${at}`)
  return keys.map((key, index) => `${key} ${keys.slice(0, index).filter(each => each === key).length}`)
}

/** Writes deliveries, the newest first. */
export const deliveriesTable = (deliveries: readonly CallbackDelivery[], caption = 'Callbacks'): Html =>
  writeTable({
    caption,
    head: ['Order', 'Delivery', 'Address', 'Answer', 'Time'],
    empty: 'No callbacks yet. Orders ask for them with server_callback_url or notify_url.',
    keys: keysOf(deliveries).toReversed(),
    rows: deliveries
      .toReversed()
      .map(({ orderId, attempt, url, httpStatus, error, at }) => [
        html`<a href="${orderAddress(orderId)}">${orderId}</a>`,
        String(attempt),
        html`<code>${url.split('?')[0] ?? url}</code>`,
        html`${writeHttpStatus(httpStatus)} ${error ?? ''}`,
        writeAgo(at),
      ]),
  })

const schemes: Readonly<Record<SignatureView['scheme'], string>> = {
  control: 'Control value: SHA-1 over these items, joined without a separator, the control key last (section 5.1).',
  'oauth-hmac-sha1': 'OAuth 1.0a with HMAC-SHA1: keyed with the control key, over this base string (section 5.2).',
  'oauth-rsa-sha256':
    "OAuth 1.0a with RSA-SHA256: signed with the merchant's private key, over this base string (section 5.3).",
}

interface SignatureLook {
  /** Of the text that is covered. */
  readonly id: string
  /** Of one that does not match. */
  readonly compared?: ComparedSignature | undefined
}

/** Writes a signature; of one that does not match, both sides. */
export function signaturePart({ scheme, covered, text }: SignatureView, { id, compared }: SignatureLook): Html {
  const pairs = covered.map(({ name, value }) => [name, value] as const)
  const label = scheme === 'control' ? 'What is digested' : 'Signature base string'
  return html`${compared && comparedPart(compared)}<p>${schemes[scheme]}</p>
${compared === undefined ? writeNamed(pairs, 'What the signature covers') : undefined}
${writeCopyable(id, label, text ?? 'An item cannot be read, so there is nothing to digest.')}`
}

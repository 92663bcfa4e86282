import type { Call, CallbackDelivery, ComparedSignature, OrderView, StageView } from '@tillkit/testing'
import { type GatewayState, groupDigits, type Html, html } from '@tillkit/testing/gateway'
import { answeredStatus, type CallLine } from '../inspection/find.js'
import { callbackTitle, fieldsOfCall, orderOfCall } from '../inspection/orders.js'
import type { SignatureView } from '../inspection/signatures.js'
import { comparedPart } from '../signatures/compared-table.js'
import { writeCopyable } from '../signatures/copyable.js'
import { writeDuration } from './look/duration.js'
import { writeAgo, writeHttpStatus, writeMoney, writeNamed, writeStatus, writeTable } from './look/elements.js'
import { callAddress, orderAddress } from './look/layout.js'

/** Writes orders, the newest first. */
export const ordersTable = (orders: readonly OrderView[]): Html =>
  writeTable({
    caption: 'Orders',
    head: [
      'Order',
      { title: 'Status', look: 'fit' },
      { title: 'Stages', wide: true },
      { title: 'Amount', look: 'end' },
      { title: 'Card', look: 'fit', wide: true },
      { title: 'Since', look: 'end' },
    ],
    empty: 'No orders yet. Send a request to the address below.',
    grows: true,
    rows: orders.toReversed().map(({ orderId, clientOrderId, currency, card, stages }) => {
      const [first] = stages
      const latest = stages.at(-1)
      return [
        orderLink(orderId, clientOrderId),
        latest && writeStatus(latest, isTakenBack(latest) ? 'charged back' : latest.status),
        html`<span class="soft">${stages.map(stageWord)}</span>`,
        writeMoney(first?.amount, currency),
        card && `${card.brand} ${card.lastFourDigits}`,
        first && writeAgo(first.createdAt),
      ]
    }),
  })

const isTakenBack = ({ stage, status }: StageView): boolean => stage === 'chargeback' && status === 'approved'

/** The amount of the first stage is the order's, and the status of the last one has a column. */
function stageWord({ stage, status, amount, final }: StageView, index: number, stages: readonly StageView[]): Html {
  const [word = stage, sum] = index === 0 ? [stage] : [` › ${stage}`, amount]
  const ended = index < stages.length - 1 && (!final || status !== 'approved') ? ` (${status})` : ''
  return html`${word}${sum && html` ${writeMoney(sum)}`}${ended}`
}

/** Writes a link to an order. @param text Its merchant's id, which may be in any script. */
const orderLink = (orderId: string, text: string): Html =>
  html`<a dir="auto" href="${orderAddress(orderId)}">${text}</a>`

/** Writes lines of calls as they are given, the newest first. */
export const callsTable = (lines: readonly CallLine[], gateway: GatewayState): Html =>
  writeTable({
    caption: 'Requests',
    head: [
      'Request',
      'Order',
      { title: 'Answer', look: 'long' },
      { title: 'Took', look: 'end', wide: true },
      { title: 'Time', look: 'end' },
    ],
    empty: 'No requests yet.',
    grows: true,
    rows: lines.map(({ call, count }) => {
      const { number, operation, path, duration, at } = call
      const order = orderOfCall(call, gateway)
      const digits = html`<span class="number">${String(number)}</span>`
      const times = count > 1 ? ` × ${groupDigits(String(count))}` : undefined
      return [
        html`<a href="${callAddress(number)}">${digits} ${operation ?? path}</a>${times}`,
        order
          ? orderLink(order.orderId, order.clientOrderId)
          : html`<bdi>${fieldsOfCall(call, gateway).clientOrderId}</bdi>`,
        answerPart(call, gateway),
        writeDuration(duration),
        writeAgo(at),
      ]
    }),
  })

/** How a request was answered: the status, the answered word, the fault that struck it, and the reason. */
export function answerPart({ verdict, explanation, reply = {}, httpStatus, fault }: Call, gateway: GatewayState): Html {
  const { errorMessage } = gateway.settings.profile.replyFields.value
  const answered = verdict === 'accepted' ? answeredStatus({ reply }, gateway) : verdict
  const why = shorten(explanation ?? reply[errorMessage[0] ?? ''])
  const reason = why && html`<div class="why" dir="auto">${why}</div>`
  return html`${writeHttpStatus(httpStatus, 'hung up')} ${answered}${fault && html` ${faultMark(fault)}`}${reason}`
}

/** Writes the name of a fault that struck. */
export const faultMark = (fault: string): Html =>
  html`<span class="struck"><span aria-hidden="true">⚡</span> ${fault}</span>`

/** The page of a request has all of it. */
const shorten = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > 120 ? `${text.slice(0, 120)}…` : text

/** Writes deliveries, the newest first. */
export const deliveriesTable = (deliveries: readonly CallbackDelivery[], gateway: GatewayState): Html =>
  writeTable({
    caption: 'Callbacks',
    head: [
      'Order',
      'Says',
      { title: 'Delivery', look: 'end', wide: true },
      { title: 'Address', wide: true },
      { title: 'Answer', look: 'long' },
      { title: 'Time', look: 'end' },
    ],
    empty: 'No callbacks yet. Orders ask for them with server_callback_url or notify_url.',
    grows: true,
    rows: deliveries.toReversed().map(delivery => {
      const { orderId, attempt, url, httpStatus, error, at } = delivery
      return [
        orderLink(orderId, gateway.orders.byOrderId(orderId)?.clientOrderId ?? orderId),
        callbackTitle(delivery, gateway),
        String(attempt),
        html`<code>${url.split('?')[0] ?? url}</code>`,
        html`${writeHttpStatus(httpStatus)}${error && html` <span class="why">${error}</span>`}`,
        writeAgo(at),
      ]
    }),
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

/**
 * The page of one request: its signature taken apart, what was sent, what was answered and why.
 *
 * @module
 */

import type { Call } from '@tillkit/testing'
import { type GatewayState, html, type WrittenAnswer } from '@tillkit/testing/gateway'
import { orderOfCall } from '../inspection/orders.js'
import { callSignature } from '../inspection/signatures.js'
import { writeFacts, writeHttpStatus, writeMark, writeMoment, writeNamed } from './elements.js'
import { dashboardPage, orderAddress } from './layout.js'
import { signaturePart } from './tables.js'

/** Writes the page. */
export function callPage(call: Call, gateway: GatewayState): WrittenAnswer {
  const { number, operation, path, verdict, explanation, warnings = [], httpStatus, fault, fields, reply } = call
  const title = `Request ${number}: ${operation ?? 'unknown path'}`
  const signature = callSignature(call, gateway)
  const order = orderOfCall(call, gateway)
  const link = order && html`<a href="${orderAddress(order.orderId)}">${order.clientOrderId}</a>`
  const advice = warnings.map(line => html`<li>${line}</li>`)
  return dashboardPage({
    title,
    live: false,
    gateway,
    content: html`<h1>${title}</h1>
${explanation === undefined ? undefined : html`<p class="problem">${explanation}</p>`}
<section aria-labelledby="facts-heading"><h2 id="facts-heading">What became of it</h2>
${writeFacts([
  ['Verdict', writeMark(verdict, verdict === 'accepted' ? 'good' : 'bad')],
  ['Answer', writeHttpStatus(httpStatus, 'hung up')],
  ['Fault', fault],
  ['Time', writeMoment(call.at)],
  ['Path', html`<code>${path}</code>`],
  ['Order', link],
  ['Warnings', advice.length === 0 ? undefined : html`<ul>${advice}</ul>`],
])}</section>
<section aria-labelledby="signature-heading"><h2 id="signature-heading">Its signature, taken apart</h2>
${signature === undefined ? html`<p class="empty">There is none to take apart.</p>` : signaturePart(signature)}</section>
<section aria-labelledby="sent-heading"><h2 id="sent-heading">What was sent</h2>
${writeNamed(fields, 'Fields of the form')}</section>
<section aria-labelledby="reply-heading"><h2 id="reply-heading">What was answered</h2>
${writeNamed(Object.entries(reply ?? {}), 'Fields of the reply')}</section>`,
  })
}

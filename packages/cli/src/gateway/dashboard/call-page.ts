import type { Call } from '@tillkit/testing'
import { type GatewayState, html, type WrittenAnswer } from '@tillkit/testing/gateway'
import { orderOfCall } from '../inspection/orders.js'
import { rewrittenCall } from '../inspection/rewritten.js'
import { callSignature } from '../inspection/signatures.js'
import { compareForm, rewrittenPart } from '../signatures/call-signature.js'
import { writeFacts, writeHttpStatus, writeMark, writeMoment, writeNamed, writeSection } from './look/elements.js'
import { dashboardPage, explainAddress, orderAddress } from './look/layout.js'
import { signaturePart } from './tables.js'

/** The page of one request: its signature taken apart, what was sent, what was answered and why. */
export function callPage(call: Call, gateway: GatewayState): WrittenAnswer {
  const { number, operation, path, verdict, explanation, compared, warnings = [] } = call
  const { httpStatus, fault, fields, reply } = call
  const title = `Request ${number}: ${operation ?? 'unknown path'}`
  const signature = callSignature(call, gateway)
  const rewritten = rewrittenCall(call, gateway)
  const order = orderOfCall(call, gateway)
  const link = order && html`<a href="${orderAddress(order.orderId)}">${order.clientOrderId}</a>`
  const advice = warnings.map(line => html`<li>${line}</li>`)
  const nothing = html`<p class="empty">There is none to take apart.</p>`
  const facts = writeFacts([
    ['Verdict', writeMark(verdict, verdict === 'accepted' ? 'good' : 'bad')],
    ['Answer', writeHttpStatus(httpStatus, 'hung up')],
    ['Fault', fault],
    ['Time', writeMoment(call.at)],
    ['Path', html`<code>${path}</code>`],
    ['Order', link],
    ['Warnings', advice.length === 0 ? undefined : html`<ul>${advice}</ul>`],
  ])
  const taken = signature === undefined ? nothing : signaturePart(signature, { id: 'covered', compared })
  const isUnexplained = compared !== undefined && compared.mistake === undefined
  const form = isUnexplained && signature ? compareForm(number, signature.scheme, explainAddress) : undefined
  const sections = [
    writeSection('facts', 'What became of it', facts),
    writeSection('signature', 'Its signature, taken apart', html`${taken}${form}`),
  ]
  return dashboardPage({
    title,
    live: false,
    gateway,
    content: html`<h1>${title}</h1>
${explanation === undefined || compared?.mistake ? undefined : html`<p class="problem">${explanation}</p>`}
${compared === undefined ? sections : sections.toReversed()}
${rewritten && writeSection('rewritten', 'The same request, signed right', rewrittenPart(rewritten))}
${writeSection('sent', 'What was sent', writeNamed(fields, 'Fields of the form'))}
${writeSection('reply', 'What was answered', writeNamed(Object.entries(reply ?? {}), 'Fields of the reply'))}`,
  })
}

import type { Call } from '@tillkit/testing'
import { type GatewayState, html, type WrittenAnswer } from '@tillkit/testing/gateway'
import { orderOfCall } from '../inspection/orders.js'
import { callSignature } from '../inspection/signatures.js'
import { writeDuration } from './look/duration.js'
import { writeFacts, writeHttpStatus, writeMark, writeMoment, writeNamed, writeSection } from './look/elements.js'
import { dashboardPage, orderAddress } from './look/layout.js'
import { signaturePart } from './tables.js'

/** The page of one request: its signature taken apart, what was sent, what was answered and why. */
export function callPage(call: Call, gateway: GatewayState): WrittenAnswer {
  const { number, operation, path, verdict, explanation, compared, warnings = [] } = call
  const { httpStatus, fault, fields, reply } = call
  const title = `Request ${number}: ${operation ?? 'unknown path'}`
  const signature = callSignature(call, gateway)
  const order = orderOfCall(call, gateway)
  const link = order && html`<a dir="auto" href="${orderAddress(order.orderId)}">${order.clientOrderId}</a>`
  const advice = warnings.map(line => html`<li>${line}</li>`)
  const nothing = html`<p class="empty">There is none to take apart.</p>`
  const facts = writeFacts([
    ['Verdict', writeMark(verdict, verdict === 'accepted' ? 'good' : 'bad')],
    ['Answer', writeHttpStatus(httpStatus, 'hung up')],
    ['Fault', fault],
    ['Order', link],
    ['Took', writeDuration(call.duration)],
    ['Time', html`${writeMoment(call.at)} UTC`],
    ['Path', html`<code>${path}</code>`],
  ])
  const taken = signature === undefined ? nothing : signaturePart(signature, { id: 'covered', compared })
  const sections = [
    html`<div class="sides">${writeSection('sent', 'What was sent', writeNamed(fields, 'Fields of the form'))}
${writeSection('reply', 'What was answered', writeNamed(Object.entries(reply ?? {}), 'Fields of the reply'))}</div>
`,
    writeSection('signature', 'Its signature, taken apart', taken),
  ]
  return dashboardPage({
    title,
    under: 'requests',
    live: false,
    gateway,
    content: html`<h1>${title}</h1>
${explanation === undefined || compared ? undefined : html`<p class="problem">${explanation}</p>`}
<section aria-label="What became of it" class="strip">${facts}</section>
${advice.length === 0 ? undefined : writeSection('warnings', 'What acquirers usually want besides', html`<ul>${advice}</ul>`)}
${compared === undefined ? sections : sections.toReversed()}`,
  })
}

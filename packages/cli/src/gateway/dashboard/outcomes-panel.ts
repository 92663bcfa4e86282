/**
 * What decides a payment: the planned outcomes, a form that plans one, and the security codes.
 *
 * @module
 */
import { sandboxCodes, type WaitingOutcome } from '@tillkit/testing'
import { type Html, html, plannableOutcomes } from '@tillkit/testing/gateway'
import { anyOption, writeControlForm, writeInput, writeOption, writeSelect } from './control-form.js'

/** Writes the outcomes. @param operations Names of the operations an outcome can be planned for. */
export function outcomesPanel(planned: readonly WaitingOutcome[], operations: readonly string[]): Html {
  const content = html`${writeSelect({ id: 'outcome', name: 'outcome', label: 'Outcome', options: plannableOutcomes.map(writeOption) })}
${writeSelect({ id: 'outcome-operation', name: 'operation', label: 'Of the operation', options: [anyOption, ...operations.map(writeOption)] })}
<div class="pair">${writeInput({ id: 'outcome-amount', name: 'amount', label: 'Of the amount', hint: 'any', inputMode: 'decimal' })}
${writeInput({ id: 'outcome-times', name: 'times', label: 'How often', hint: '1', inputMode: 'numeric' })}</div>
${writeInput({ id: 'outcome-order', name: 'clientOrderId', label: 'Of the order', hint: 'any' })}
<button>Plan</button>`
  return html`<section aria-labelledby="outcomes-heading">
<h2 id="outcomes-heading">What decides a payment</h2>
<div id="outcomes" data-live>${writePlanned(planned)}</div>
${writeControlForm({ route: 'planOutcome', page: '', look: 'stack', content })}
<details id="security-codes"><summary>What each CVV2 does where nothing is planned</summary>
<dl>${sandboxCodes.map(({ cvv2, text }) => html`<dt><code>${cvv2}</code></dt><dd>${text}</dd>`)}<dt>other</dt><dd>declined</dd></dl></details>
</section>`
}

function writePlanned(planned: readonly WaitingOutcome[]): Html {
  if (planned.length === 0) return html`<p class="empty">Nothing is planned: the CVV2 decides.</p>`
  const lines = planned.map(each => html`<li><code>${each.outcome}</code> for ${whatFor(each)}, ${howOften(each)}</li>`)
  return html`<ul>${lines}</ul>
<div class="after">${writeControlForm({ route: 'clearOutcomes', page: '', content: html`<button class="quiet">Forget all</button>` })}</div>`
}

function whatFor({ operation = 'any operation', amount, clientOrderId }: WaitingOutcome): string {
  const money = amount === undefined ? '' : ` of ${amount}`
  return `${operation}${money}${clientOrderId === undefined ? '' : ` of the order ${clientOrderId}`}`
}

function howOften({ times }: WaitingOutcome): string {
  if (times === undefined) return 'without end'
  return times === 1 ? 'once' : `${times} times`
}

/**
 * Faults: those that are armed, and a form that arms one.
 *
 * @module
 */
import { type ArmedFault, type FaultName, faultTable } from '@tillkit/testing'
import { faultNames, type Html, html } from '@tillkit/testing/gateway'
import { anyOption, writeControlForm, writeInput, writeOption, writeSelect } from './control-form.js'

/** Writes the faults. @param operations Names of the operations a fault can be armed for. */
export function faultsPanel(armed: readonly ArmedFault[], operations: readonly string[]): Html {
  const content = html`${writeSelect({ id: 'fault', name: 'fault', label: 'Fault', options: faultNames.map(writeOption) })}
${writeSelect({ id: 'operation', name: 'operation', label: 'Operation', options: [anyOption, ...operations.map(writeOption)] })}
<div class="pair">${writeInput({ id: 'times', name: 'times', label: 'Times', hint: '1', inputMode: 'numeric' })}
${writeInput({ id: 'probability', name: 'probability', label: 'Probability', hint: '1', inputMode: 'decimal' })}</div>
${writeInput({ id: 'delay', name: 'delay', label: 'Delay in milliseconds', hint: "the fault's own", inputMode: 'numeric' })}
${writeInput({ id: 'fault-status', name: 'status', label: 'Status word, for faults that take one', hint: "the fault's own" })}
<button>Arm</button>`
  return html`<section aria-labelledby="faults-heading">
<h2 id="faults-heading">Faults</h2>
<div id="faults" data-live>${writeArmed(armed)}</div>
${writeControlForm({ route: 'armFault', page: '', look: 'stack', content })}
<details id="fault-table"><summary>What each fault does</summary><dl class="stacked">${faultNames.map(explain)}</dl></details>
</section>`
}

const explain = (name: FaultName): Html => html`<dt><code>${name}</code></dt><dd>${faultTable[name].does}</dd>`

function writeArmed(armed: readonly ArmedFault[]): Html {
  if (armed.length === 0) return html`<p class="empty">None is armed.</p>`
  const lines = armed.map(
    fault => html`<li><code>${fault.fault}</code> for ${fault.operation ?? 'any operation'}, ${howOften(fault)}</li>`,
  )
  return html`<ul>${lines}</ul>
<div class="after">${writeControlForm({ route: 'clearFaults', page: '', content: html`<button class="quiet">Disarm all</button>` })}</div>`
}

function howOften({ times, probability, struck }: ArmedFault): string {
  const often = times === undefined ? 'without end' : times === 1 ? 'once more' : `${times} times more`
  const likely = probability === undefined ? '' : ` with probability ${probability}`
  return `${often}${likely}${struck === 0 ? '' : `, struck ${struck} times`}`
}

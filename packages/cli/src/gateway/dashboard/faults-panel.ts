import { type FaultName, faultTable } from '@tillkit/testing'
import { faultNames, type GatewayState, type Html, html } from '@tillkit/testing/gateway'
import type { ControlRouteName } from '../control/routes.js'
import { faultPresets } from '../control/routes.js'
import { writeControlForm, writeInput, writeLive, writeSection, writeSelect } from './look/elements.js'

/** Armed faults, sentences to arm at one press, and every fault with what it does. */
export function faultsPanel({ faults, settings, isOpen }: GatewayState): Html {
  const operations = Object.keys(settings.operations)
  const lines = faults.armed().map(({ number, fault, operation = 'any operation', times, probability, struck }) => {
    const likely = probability === undefined ? '' : ` with probability ${probability}`
    const record = struck === 0 ? '' : `, struck ${struck === 1 ? 'once' : `${struck} times`}`
    const disarm = html`<button class="quiet" name="number"
value="${String(number)}" aria-label="Disarm ${fault} (${String(number)})">Disarm</button>`
    return html`<code>${fault}</code> for ${operation}, ${often(times)}${likely}${record}
<p class="soft">${faultTable[fault].does}</p>${writeControlForm('disarmFault', disarm)}`
  })
  const presets = Object.entries(faultPresets).map(
    ([words, { fault, does = faultTable[fault.fault].does }]) =>
      html`<li><button name="preset" value="${words}">${words}</button><p class="soft">${does}</p></li>`,
  )
  const inputs = html`<fieldset class="choices"><legend>Fault</legend>
${choices.map(choice)}</fieldset>
${writeSelect('operation', 'Operation', ['any', ...operations])}
<div class="pair">${writeInput('times', 'Times', { hint: '1', inputMode: 'numeric' })}
${writeInput('probability', 'Probability', { hint: '1', inputMode: 'decimal' })}</div>
${writeInput('delay', 'Delay in milliseconds', { hint: "the fault's own", inputMode: 'numeric' })}
${writeInput('questions', 'Questions, for faults that take a number', { hint: "the fault's own", inputMode: 'numeric' })}
${writeInput('status', 'Status word, for faults that take one', { hint: "the fault's own" })}
<button>Arm</button>`
  const armed = clearable(lines, { none: 'None is armed.', route: 'clearFaults', button: 'Disarm all' })
  const content = html`${writeLive('faults', html`${isOpen() ? undefined : closed}${armed}`)}
<h3>What does my shop do when…</h3>
${writeControlForm('armPreset', html`<ul class="presets">${presets}</ul>`)}
<details id="fault-table"><summary>Every fault, and how often it strikes</summary>
${writeControlForm('armFault', inputs, { look: 'stack' })}</details>
`
  return writeSection('faults', 'Faults', content)
}

const closed = html`<p class="problem" role="status"><code>refuse-connection</code> struck: the port of the gateway is closed
until its delay is over. Pages here go on.</p>
${writeControlForm('clearFaults', html`<button>Disarm all and open the port</button>`)}`

/** Chosen until a person chooses another: every gateway does this now and then, and nothing is lost by it. */
const harmless: FaultName = 'callback-twice'

const choices: readonly FaultName[] = [harmless, ...faultNames.filter(name => name !== harmless)]

function choice(name: FaultName): Html {
  const checked = name === harmless ? html` checked` : undefined
  return html`<div><input type="radio" id="fault-${name}" name="fault" value="${name}"
aria-describedby="does-${name}"${checked}><label for="fault-${name}"><code>${name}</code></label>
<p class="soft" id="does-${name}">${faultTable[name].does}</p></div>
`
}

/** Says how often something will still happen. */
export function often(times: number | undefined): string {
  if (times === undefined) return 'without end'
  return times === 1 ? 'once more' : `${times} times more`
}

interface Clearing {
  readonly none: string
  readonly route: ControlRouteName
  readonly button: string
}

/** Writes a list, and a button that clears it. */
export function clearable(lines: readonly Html[], { none, route, button }: Clearing): Html {
  if (lines.length === 0) return html`<p class="empty">${none}</p>`
  return html`<ul>${lines.map(line => html`<li>${line}</li>`)}</ul>
<div class="after">${writeControlForm(route, html`<button class="quiet">${button}</button>`)}</div>`
}

/**
 * The clock, and buttons that move it forward.
 *
 * @module
 */
import { type Html, html } from '@tillkit/testing/gateway'
import { writeControlForm } from './control-form.js'
import { writeMoment } from './moment.js'

const second = 1_000
const steps: readonly (readonly [text: string, milliseconds: number])[] = [
  ['10 seconds', 10 * second],
  ['1 minute', 60 * second],
  ['1 hour', 3_600 * second],
  ['1 day', 86_400 * second],
  ['14 days', 14 * 86_400 * second],
]

/** Writes the clock. @param now In milliseconds since the epoch. */
export function clockPanel(now: number): Html {
  const buttons = steps.map(
    ([text, milliseconds]) =>
      html`<button class="quiet" name="milliseconds" value="${String(milliseconds)}" aria-label="Advance the clock by ${text}">+ ${text}</button>`,
  )
  return html`<section aria-labelledby="clock-heading">
<h2 id="clock-heading">Clock</h2>
<p id="clock" data-live>${writeMoment(now)} UTC</p>
${writeControlForm({ route: 'advanceClock', page: '', content: html`${buttons}` })}</section>`
}

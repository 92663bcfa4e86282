/**
 * The page that asks for a card.
 *
 * @module
 */
import type { WrittenAnswer } from '../http/gateway-message.js'
import { sandboxCodes } from '../orders/sandbox-outcome.js'
import { type Field, type PageInput, writeAlert, writeField } from './field.js'
import { html } from './html.js'
import { amountText, type OrderToShow, orderHeading } from './order-heading.js'
import { writePage } from './page.js'

const number: Field = {
  name: 'credit_card_number',
  label: 'Card number',
  autocomplete: 'cc-number',
  inputMode: 'numeric',
  maxLength: 23,
}
const holder: Field = { name: 'card_printed_name', label: 'Name on card', autocomplete: 'cc-name', maxLength: 128 }
const month: Field = {
  name: 'expire_month',
  label: 'Month',
  autocomplete: 'cc-exp-month',
  inputMode: 'numeric',
  maxLength: 2,
}
const year: Field = {
  name: 'expire_year',
  label: 'Year',
  autocomplete: 'cc-exp-year',
  inputMode: 'numeric',
  maxLength: 4,
}
const cvv: Field = {
  name: 'cvv2',
  label: 'CVV',
  autocomplete: 'cc-csc',
  inputMode: 'numeric',
  maxLength: 4,
  secret: true,
}

/** Writes the card page. What was typed stays, the CVV excepted. */
export function cardPage(shown: OrderToShow, input: PageInput = {}): WrittenAnswer {
  const { order } = shown
  const { mistakes = {} } = input
  const field = (each: Field) => writeField(each, input)
  const codes = sandboxCodes.map(({ cvv2, text }) => html`<li><code>${cvv2}</code> ${text}</li>`)
  return writePage({
    title: `Payment: ${order.description ?? order.clientOrderId}`,
    status: Object.keys(mistakes).length === 0 ? 200 : 422,
    body: html`${orderHeading(shown)}${writeAlert(mistakes)}<form method="post" novalidate>
${field(number)}${field(holder)}<div class="row">
${field(month)}${field(year)}${field(cvv)}</div>
<button type="submit">${buttonText(shown)}</button>
<button type="submit" class="quiet" name="cancel" value="1">Cancel</button>
</form>
<details class="note" open><summary>Test gateway: no money moves</summary>
Any card number with a right check digit, such as <code>4444 4444 4444 4448</code>, and any future date. The security code decides:
<ul>${codes}<li>anything else: declined</li></ul></details>`,
  })
}

function buttonText(shown: OrderToShow): string {
  const { stage } = shown.order.stages[0]
  if (stage === 'verification') return 'Verify card'
  return `${stage === 'preauth' ? 'Reserve' : 'Pay'} ${amountText(shown)}`
}

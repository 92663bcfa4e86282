import { isCardNumber } from '@tillkit/protocol'
import { testCard } from '../fixtures/cards.js'
import type { WrittenAnswer } from '../http/message.js'
import { isExpired, readMonth, readYear, type StoredCard, storeCard } from '../orders/card.js'
import { sandboxCodes } from '../orders/outcomes.js'
import { html } from './document.js'
import { type Field, type PageInput, type Read, type Typed, writeField } from './field.js'
import { amountText, formPage, type OrderToShow, orderHeading } from './page.js'

const digits = (name: string, label: string, autocomplete: string, maxLength: number): Field => ({
  name,
  label,
  autocomplete,
  inputMode: 'numeric',
  maxLength,
})
export const cardNumberField = digits('credit_card_number', 'Card number', 'cc-number', 23)
const holderField: Field = { name: 'card_printed_name', label: 'Name on card', autocomplete: 'cc-name', maxLength: 128 }
const month = digits('expire_month', 'Month', 'cc-exp-month', 2)
const year = digits('expire_year', 'Year', 'cc-exp-year', 4)
const cvv: Field = { ...digits('cvv2', 'CVV', 'cc-csc', 4), secret: true }

/** Writes the card page. What was typed stays, the CVV excepted. */
export function cardPage(shown: OrderToShow, input: PageInput = {}): WrittenAnswer {
  const { order } = shown
  const field = (each: Field) => writeField(each, input)
  const codes = sandboxCodes.map(({ cvv2, text }) => html`<dt><code>${cvv2}</code></dt><dd>${text}</dd>`)
  return formPage({
    title: `Payment: ${order.description ?? order.clientOrderId}`,
    above: orderHeading(shown),
    mistakes: input.mistakes,
    fields: html`${field(cardNumberField)}${field(holderField)}<div class="row">
${field(month)}${field(year)}${field(cvv)}</div>
`,
    button: buttonText(shown),
    note: html`<details class="note"><summary>Test cards: no money moves</summary>
<p>Any card number with a right check digit, such as <code>${testCard.replace(/\d{4}(?=\d)/g, '$& ')}</code>,
and any future date. The CVV decides:</p>
<dl>${codes}<dt>other</dt><dd>declined</dd></dl></details>`,
  })
}

function buttonText(shown: OrderToShow): string {
  const { stage } = shown.order.stages[0]
  if (stage === 'verification') return 'Verify card'
  return `${stage === 'preauth' ? 'Reserve' : 'Pay'} ${amountText(shown)}`
}

/** Checks what was typed. Spaces and hyphens in the number are fine. */
export function readCardInput(typed: Typed, now: number): Read<'card', { card: StoredCard; cvv2: string }> {
  const text = (name: string): string => typed[name]?.trim() ?? ''
  const number = text('credit_card_number').replace(/[ -]/g, '')
  const holder = text('card_printed_name')
  const month = readMonth(text('expire_month'))
  const year = readYear(text('expire_year'))
  const cvv2 = text('cvv2')
  const wrong: readonly (readonly [string, string | undefined])[] = [
    ['credit_card_number', isCardNumber(number) ? undefined : numberMistake(number)],
    ['card_printed_name', holder === '' ? 'Enter the name as it is printed on the card.' : undefined],
    ['expire_month', month === undefined ? 'Enter a month from 1 to 12.' : undefined],
    ['expire_year', year === undefined ? 'Enter a year, such as 2031.' : undefined],
    ['cvv2', /^\d{3,4}$/.test(cvv2) ? undefined : 'Enter the three or four digits.'],
  ]
  const mistakes = Object.fromEntries(
    wrong.flatMap(([name, mistake]) => (mistake === undefined ? [] : [[name, mistake]])),
  )
  if (Object.keys(mistakes).length > 0) return { kind: 'mistakes', mistakes }
  const card = storeCard({ number, holder, expireMonth: month, expireYear: year })
  if (isExpired(card, now)) return { kind: 'mistakes', mistakes: { expire_year: 'This card has expired.' } }
  return { kind: 'card', card, cvv2 }
}

function numberMistake(number: string): string {
  if (number === '') return 'Enter the card number.'
  return /^\d{13,19}$/.test(number) ? 'This card number has a typing mistake.' : 'A card number has 13 to 19 digits.'
}

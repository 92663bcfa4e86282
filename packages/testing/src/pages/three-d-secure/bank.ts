import type { Parameter } from '@tillkit/signing'
import { threeDSecurePassword } from '../../fixtures/cards.js'
import type { GatewayAnswer, WrittenAnswer } from '../../http/message.js'
import { html } from '../document.js'
import { type PageInput, type Typed, writeAlert, writeField } from '../field.js'
import { type OrderToShow, orderHeading, postingPage, writePage } from '../page.js'

interface CodeTurn extends OrderToShow {
  readonly typed: Typed
  /** What the page carries until the code is there. */
  readonly carried?: readonly Parameter[]
  /** Goes on once the customer entered a code or cancelled. */
  readonly proceed: (passed: boolean) => GatewayAnswer
}

/** Shows the bank's page until there is a code or the customer cancels, then goes on. */
export function askCode({ typed, order, profile, carried = [], proceed }: CodeTurn): GatewayAnswer {
  const { password, cancel } = typed
  if (cancel !== undefined) return proceed(false)
  if (password === undefined) return bankPage({ order, profile, carried })
  const code = password.trim()
  if (code === '') return bankPage({ order, profile, carried, mistakes: { password: 'Enter the code.' } })
  return proceed(code === threeDSecurePassword)
}

export const bankReturnPage = (passed: boolean, to: URL, fields: readonly Parameter[]): WrittenAnswer =>
  postingPage({
    title: 'Back to the shop',
    heading: 'Test bank',
    text: `${passed ? 'Thank you.' : 'Not confirmed.'} You are on your way back to the shop.`,
    to,
    fields,
    button: 'Back to the shop',
    framed: true,
  })

const code = {
  name: 'password',
  label: 'Code from your bank',
  autocomplete: 'one-time-code',
  maxLength: 64,
  secret: true,
} as const

interface BankPage extends PageInput, OrderToShow {
  readonly carried?: readonly Parameter[]
}

/** Writes the page. Shops may show it in a frame. */
function bankPage({ order, profile, carried = [], ...input }: BankPage): WrittenAnswer {
  const { mistakes = {} } = input
  const hidden = carried.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  const card = order.card
  return writePage({
    title: 'Your bank: confirm your payment',
    framed: true,
    status: Object.keys(mistakes).length === 0 ? 200 : 422,
    body: html`<p class="bank">Test bank</p>
${orderHeading({ order, profile })}<p>Confirm that it is you${card === undefined ? '' : ` who pays with the ${card.brand} card ending in ${card.lastFourDigits}`}.</p>
${writeAlert(mistakes)}<form method="post" novalidate>
${hidden}${writeField(code, input)}<button type="submit">Confirm</button>
<button type="submit" class="quiet" name="cancel" value="1">Cancel</button>
</form>
<p class="note">Test bank: the code is <code>${threeDSecurePassword}</code>; any other one fails. No money moves.</p>`,
  })
}

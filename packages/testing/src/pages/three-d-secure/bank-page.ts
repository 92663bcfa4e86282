/**
 * The page on which the card's bank asks the customer for a code.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import { threeDSecurePassword } from '../../fixtures/cards.js'
import type { WrittenAnswer } from '../../http/gateway-message.js'
import { type PageInput, writeAlert, writeField } from '../field.js'
import { html } from '../html.js'
import { type OrderToShow, orderHeading } from '../order-heading.js'
import { writePage } from '../page.js'

const code = {
  name: 'password',
  label: 'Code from your bank',
  autocomplete: 'one-time-code',
  maxLength: 64,
  secret: true,
} as const

/** What the page carries from the request that opened it to the one that ends it. */
export interface BankPage extends PageInput, OrderToShow {
  readonly carried?: readonly Parameter[]
}

/** Writes the page. Shops may show it in a frame. */
export function bankPage({ order, profile, carried = [], ...input }: BankPage): WrittenAnswer {
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

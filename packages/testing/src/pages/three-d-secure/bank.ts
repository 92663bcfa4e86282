import type { Parameter } from '@tillkit/signing'
import { threeDSecurePassword } from '../../fixtures/cards.js'
import type { WrittenAnswer } from '../../http/message.js'
import { html } from '../document.js'
import { codeField, type Mistakes, writeField } from '../field.js'
import { formPage, orderHeading, postingPage } from '../page.js'
import type { ThreeDSecurePage } from './stage.js'

/** The turn of a customer at a page that asks for a code. */
type CodeTurn = Pick<Parameters<ThreeDSecurePage>[0], 'typed' | 'order' | 'gateway'>

/**
 * Shows the bank's page until there is a code or the customer cancels, then goes on.
 *
 * @param carried What the page carries until the code is there.
 */
export function askCode(
  turn: CodeTurn,
  proceed: (passed: boolean) => WrittenAnswer,
  carried: readonly Parameter[] = [],
): WrittenAnswer {
  const { password, cancel } = turn.typed ?? {}
  if (cancel !== undefined) return proceed(false)
  if (password === undefined) return bankPage(turn, carried)
  const code = password.trim()
  if (code === '') return bankPage(turn, carried, { password: 'Enter the code.' })
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

/** Writes the page. Shops may show it in a frame. */
function bankPage(turn: CodeTurn, carried: readonly Parameter[], mistakes?: Mistakes): WrittenAnswer {
  const { order } = turn
  const hidden = carried.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  const card = order.card && ` who pays with the ${order.card.brand} card ending in ${order.card.lastFourDigits}`
  return formPage({
    title: 'Your bank: confirm your payment',
    framed: true,
    above: html`<p class="bank">Test bank</p>
${orderHeading(turn)}<p>Confirm that it is you${card}.</p>
`,
    mistakes,
    fields: html`${hidden}${writeField(codeField('Code from your bank'), mistakes === undefined ? {} : { mistakes })}`,
    button: 'Confirm',
    note: html`<p class="note">Test bank: the code is <code>${threeDSecurePassword}</code>; any other one fails. No money moves.</p>`,
  })
}

/**
 * The page on which the card's bank asks for the password of 3DS.
 *
 * @module
 */
import { threeDSecurePassword } from '../fixtures/cards.js'
import type { WrittenAnswer } from '../http/gateway-message.js'
import { writeField } from './field.js'
import { html } from './html.js'
import { type OrderToShow, orderHeading } from './order-heading.js'
import { writePage } from './page.js'

const password = {
  name: 'password',
  label: 'Password',
  autocomplete: 'one-time-code',
  maxLength: 64,
  secret: true,
} as const

/** Writes the password page. */
export const passwordPage = (shown: OrderToShow): WrittenAnswer =>
  writePage({
    title: 'Confirm your payment',
    body: html`${orderHeading(shown)}<p>Your bank asks for the password of this card.</p>
<form method="post" novalidate>
${writeField(password)}<button type="submit">Confirm</button>
<button type="submit" class="quiet" name="cancel" value="1">Cancel</button>
</form>
<p class="note">Test gateway: the password is <code>${threeDSecurePassword}</code>; any other one declines.</p>`,
  })

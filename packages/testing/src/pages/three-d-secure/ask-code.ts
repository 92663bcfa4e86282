/**
 * The bank asks the customer for a code, and what comes of it.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import { threeDSecurePassword } from '../../fixtures/cards.js'
import type { GatewayAnswer, WrittenAnswer } from '../../http/gateway-message.js'
import type { Typed } from '../field.js'
import type { OrderToShow } from '../order-heading.js'
import { postingPage } from '../posting-page.js'
import { bankPage } from './bank-page.js'

/** A customer in front of the bank's page. */
export interface CodeTurn extends OrderToShow {
  readonly typed: Typed
  /** What the page carries until the code is there. */
  readonly carried?: readonly Parameter[]
  /** Goes on once the customer did or did not prove who they are. */
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

/** Where the bank sends the customer back to, and with what. */
export interface BankReturn {
  readonly passed: boolean
  readonly to: URL
  readonly fields: readonly Parameter[]
}

/** Writes the page that takes the customer from the bank back to the shop. */
export function bankReturnPage({ passed, to, fields }: BankReturn): WrittenAnswer {
  return postingPage({
    title: 'Back to the shop',
    heading: 'Test bank',
    text: `${passed ? 'Thank you.' : 'Not confirmed.'} You are on your way back to the shop.`,
    to,
    fields,
    button: 'Back to the shop',
    framed: true,
  })
}

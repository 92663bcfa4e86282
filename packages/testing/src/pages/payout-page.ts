import { isCardNumber } from '@tillkit/protocol'
import type { WrittenAnswer } from '../http/message.js'
import { type StoredCard, storeCard } from '../orders/card.js'
import { declinedAccount } from '../orders/outcomes.js'
import { cardNumberField } from './card-page.js'
import { html } from './document.js'
import { type Field, type Mistakes, type PageInput, type Read, type Typed, writeField } from './field.js'
import { formPage, type OrderToShow, orderHeading } from './page.js'

const account: Field = { name: 'account_number', label: 'Account number', autocomplete: 'off', maxLength: 34 }
const bank: Field = { name: 'bank_name', label: 'Bank', autocomplete: 'off', maxLength: 255 }
const phone: Field = { name: 'phone', label: 'Phone number', autocomplete: 'tel', inputMode: 'tel', maxLength: 20 }

/** Writes the payout page. What was typed stays. */
export function payoutPage(shown: OrderToShow, input: PageInput = {}): WrittenAnswer {
  const { order } = shown
  const field = (each: Field) => writeField(each, input)
  return formPage({
    title: `Payout: ${order.description ?? order.clientOrderId}`,
    above: html`${orderHeading(shown)}<p class="soft">Fill in one of the three.</p>`,
    mistakes: input.mistakes,
    fields: html`<fieldset><legend>To a bank account</legend>${field(account)}${field(bank)}</fieldset>
<fieldset><legend>Or to a card</legend>${field(cardNumberField)}</fieldset>
<fieldset><legend>Or by phone</legend>${field(phone)}</fieldset>
`,
    button: 'Receive the payout',
    note: html`<p class="note">Test gateway: no money moves. The account <code>${declinedAccount}</code> is declined.</p>`,
  })
}

interface Destination {
  readonly accountNumber: string | undefined
  readonly card: StoredCard | undefined
  readonly phone: string | undefined
}

/** Checks what was typed: exactly one destination. */
export function readPayoutInput(typed: Typed): Read<'destination', Destination> {
  const text = (name: string): string | undefined => typed[name]?.trim() || undefined
  const [accountNumber, number, phoneNumber] = ['account_number', 'credit_card_number', 'phone'].map(text)
  const given = [accountNumber, number, phoneNumber].filter(each => each !== undefined)
  const wrong = (mistakes: Mistakes) => ({ kind: 'mistakes', mistakes }) as const
  if (given.length === 0) return wrong({ account_number: 'Enter an account, a card or a phone number.' })
  if (given.length > 1) return wrong({ account_number: 'Enter only one of account, card and phone number.' })
  if (phoneNumber !== undefined && !/^\+?[\d ()-]{7,20}$/.test(phoneNumber)) {
    return wrong({ phone: 'Enter an international number, such as +44 7700 900123.' })
  }
  if (number === undefined) return { kind: 'destination', accountNumber, phone: phoneNumber, card: undefined }
  if (!isCardNumber(number.replace(/[ -]/g, ''))) return wrong({ credit_card_number: 'This is no card number.' })
  return { kind: 'destination', accountNumber, phone: phoneNumber, card: storeCard({ number }) }
}

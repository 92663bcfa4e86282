/**
 * Reads what was typed into the card page.
 *
 * @module
 */
import { isCardNumber } from '@tillkit/protocol'
import { isExpired, readMonth, readYear, type StoredCard, storeCard } from '../orders/card.js'
import type { Mistakes, Typed } from './field.js'

/** A card that can be charged, or what is wrong with it. */
export type CardInputResult = { readonly card: StoredCard; readonly cvv2: string } | { readonly mistakes: Mistakes }

/** Checks what was typed. Spaces and hyphens in the number are fine. */
export function readCardInput(typed: Typed, now: number): CardInputResult {
  const text = (name: string): string => typed[name]?.trim() ?? ''
  const number = text('credit_card_number').replace(/[ -]/g, '')
  const month = readMonth(text('expire_month'))
  const year = readYear(text('expire_year'))
  const cvv2 = text('cvv2')
  const wrong: readonly (readonly [string, string | undefined])[] = [
    ['credit_card_number', isCardNumber(number) ? undefined : numberMistake(number)],
    [
      'card_printed_name',
      text('card_printed_name') === '' ? 'Enter the name as it is printed on the card.' : undefined,
    ],
    ['expire_month', month === undefined ? 'Enter a month from 1 to 12.' : undefined],
    ['expire_year', year === undefined ? 'Enter a year, such as 2031.' : undefined],
    ['cvv2', /^\d{3,4}$/.test(cvv2) ? undefined : 'Enter the three or four digits.'],
  ]
  const mistakes = Object.fromEntries(
    wrong.flatMap(([name, mistake]) => (mistake === undefined ? [] : [[name, mistake]])),
  )
  if (Object.keys(mistakes).length > 0) return { mistakes }
  const card = storeCard(
    { number, holder: text('card_printed_name'), expireMonth: month, expireYear: year },
    { number: 'credit_card_number', expireMonth: 'expire_month', expireYear: 'expire_year' },
  )
  return isExpired(card, now) ? { mistakes: { expire_year: 'This card has expired.' } } : { card, cvv2 }
}

function numberMistake(number: string): string {
  if (number === '') return 'Enter the card number.'
  return /^\d{13,19}$/.test(number) ? 'This card number has a typing mistake.' : 'A card number has 13 to 19 digits.'
}

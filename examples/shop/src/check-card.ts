/** Finds mistakes in a card before it is sent anywhere. Only its bank knows that a card is good. */

import { isCardNumber } from '@tillkit/protocol'

/** The fields of the card form, by the names they have there. */
export type CardField = 'number' | 'name' | 'month' | 'year' | 'cvv2'

/** What is wrong, in words for the card's holder, by field. */
export type CardMistakes = { readonly [Field in CardField]?: string }

/** @param now Milliseconds since the epoch: a card is good to the end of its month. */
export function checkCard(card: Readonly<Record<CardField, string>>, now: number): CardMistakes {
  const { number, name, month, year, cvv2 } = card
  const isMonth = /^(0?[1-9]|1[0-2])$/.test(month)
  const isYear = /^20\d\d$/.test(year)
  const isOver = isYear && Date.UTC(Number(year), isMonth ? Number(month) : 12) <= now
  return {
    ...(!mayBeCard(number) && { number: 'This is not the number of a card. Please compare it with your card.' }),
    ...(name === '' && { name: 'Please write the name as it is on the card.' }),
    ...(!isMonth && { month: 'A month is 1 to 12.' }),
    ...(!isYear && { year: 'A year has four digits, such as 2031.' }),
    ...(isOver && { year: 'This card has expired.' }),
    ...(!/^\d{3,4}$/.test(cvv2) && { cvv2: 'Three or four digits.' }),
  }
}

/** Old Maestro cards have twelve digits: about these the gateway decides. */
const mayBeCard = (number: string): boolean => isCardNumber(number) || /^\d{12}$/.test(number)

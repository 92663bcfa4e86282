import { describeValue } from '@tillkit/protocol'
import type { AmountsByCurrency } from '../rules/people/second-person.js'

/** Checks the amounts above which two persons have to decide. @throws {TypeError} for what is no amount, or no currency. */
export function readLimits(given: AmountsByCurrency | undefined): AmountsByCurrency | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) throw wrong(describeValue(given))
  for (const [currency, amount] of Object.entries(given)) {
    if (!/^[A-Z]{3}$/.test(currency) || typeof amount !== 'string' || !isAmount(amount))
      throw wrong(`${describeValue(amount)} for ${JSON.stringify(currency)}`)
  }
  return { ...given }
}

/** Whether a text is an amount in major units. */
export const isAmount = (text: string): boolean => /^\d{1,15}(?:\.\d{1,4})?$/.test(text)

const wrong = (found: string) =>
  new TypeError(
    `createTill: "secondPersonAbove" must have an amount as text for each currency, such as { EUR: '1000.00' }. Found: ${found}.`,
  )

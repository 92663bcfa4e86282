/**
 * Amounts of requests.
 *
 * @module
 */
import { readMinorUnits } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError } from '@tillkit/signing'
import type { Fields } from './fields.js'
import type { GatewaySettings } from './options.js'
import { refuse } from './refusal.js'

/** An amount of a request. */
export interface RequestAmount {
  /** Minor units, above zero. */
  readonly amount: bigint
  /** ISO 4217 code. */
  readonly currency: string
}

/** Longest amount the gateway takes, in characters, as public pages say. */
const longestAmount = 10

/**
 * Reads amount and currency of a request. As public pages have it, `10.5` is 10.50.
 *
 * @throws {@link RefusedRequest} when either is missing or cannot be right.
 */
export function readAmount(fields: Fields, settings: Pick<GatewaySettings, 'currency'>): RequestAmount {
  const { amount: text, currency } = fields
  if (text === undefined || currency === undefined) {
    const [given, missing] = text === undefined ? ['currency', 'amount'] : ['amount', 'currency']
    refuse(
      'missing-field',
      `There is "${given}" without "${missing}": send both, or neither where both may be left out.`,
    )
  }
  if (currencyDigits(currency) === undefined) {
    refuse('invalid-field', `"currency" is ${JSON.stringify(currency.slice(0, 16))}, no ISO 4217 code such as "EUR".`)
  }
  if (settings.currency !== undefined && currency !== settings.currency) {
    refuse('invalid-field', `"currency" is "${currency}"; the currency of this endpoint is "${settings.currency}".`)
  }
  const amount = minorUnits(text, currency)
  if (amount === undefined) {
    refuse(
      'invalid-field',
      `"amount" is ${JSON.stringify(text.slice(0, 24))}; for ${currency} it must look like "${fromMinorUnits('1000', currency)}": ` +
        `above zero, a point before the fraction, at most ${longestAmount} characters.`,
    )
  }
  return { amount, currency }
}

function minorUnits(text: string, currency: string): bigint | undefined {
  if (text.length > longestAmount) return undefined
  try {
    const amount = readMinorUnits(text, currency)
    return amount > 0n ? amount : undefined
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

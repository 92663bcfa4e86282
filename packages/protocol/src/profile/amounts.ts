/**
 * Amounts in replies, and currencies that have ended: money can come back in them, and nothing new is sold in them.
 *
 * @module
 */
import { type CurrencyDigits, currencyDigits, InvalidInputError } from '@tillkit/signing'
import { defaultProfile } from './profile.js'
import type { WireProfile } from './types.js'

/**
 * Reads an amount of a reply into minor units.
 *
 * @param amount Major units with any number of fraction digits; those beyond the currency's must be zeros.
 * @param currency ISO 4217 code, one that ended lately, or one of the profile's `currencyDigits`.
 * @param profile Its `currencyDigits` count before ISO 4217.
 * @throws {@link InvalidInputError} when it is not such an amount, or the currency is unknown.
 */
export function readMinorUnits(
  amount: string,
  currency: string,
  profile: Pick<WireProfile, 'currencyDigits'> = defaultProfile,
): bigint {
  const digits = currencyDigits(currency, readableDigits(profile))
  const match = amount.length > 40 ? null : /^(\d+)(?:\.(\d*))?$/.exec(amount.trim())
  const fraction = (match?.[2] ?? '').replace(/0+$/, '')
  if (digits === undefined || match === null || fraction.length > digits) {
    throw new InvalidInputError(
      'amount',
      `The gateway sent the amount ${JSON.stringify(amount.slice(0, 40))} with the currency ${JSON.stringify(currency.slice(0, 40))}, which cannot be read as money. ` +
        'Nothing was concluded from it; look at the raw reply.',
    )
  }
  return BigInt(`${match[1]}${fraction.padEnd(digits, '0')}`)
}

/** Digits of each, those of what took its place, and when it ended (year and month of the change). */
const endedDigits: CurrencyDigits = {
  // 2023-01, EUR
  HRK: 2,
  // 2024, SLE: one of the new for a thousand of the old
  SLL: 2,
  // 2024-09, ZWG
  ZWL: 2,
  // 2025-03, XCG
  ANG: 2,
  // 2026-01, EUR
  BGN: 2,
}

/** Codes that can be read in replies and not be sent, in no particular order. */
export const endedCurrencies: readonly string[] = Object.freeze(Object.keys(endedDigits))

/** Digits that count before ISO 4217 in what a gateway answers: those of the profile, and those of ended currencies. */
export const readableDigits = ({ currencyDigits }: Pick<WireProfile, 'currencyDigits'>): CurrencyDigits => ({
  ...endedDigits,
  ...currencyDigits.value,
})

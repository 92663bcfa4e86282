import { type CurrencyDigits, currencyDigits, InvalidInputError } from '@tillkit/signing'
import { quote } from '../redaction/mask-card-number.js'
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
      `The gateway sent the amount ${quote(amount.slice(0, 40))} with the currency ` +
        `${quote(currency.slice(0, 40))}, which cannot be read as money. ` +
        'Nothing was concluded from it; look at the raw reply.',
    )
  }
  return BigInt(`${match[1]}${fraction.padEnd(digits, '0')}`)
}

/** Digits of currencies that have ended, when, and what took their place. Money can come back in them; nothing new is sold in them. */
const endedDigits: CurrencyDigits = {
  HRK: 2, // 2023-01, EUR
  SLL: 2, // 2024, SLE: one of the new for a thousand of the old
  ZWL: 2, // 2024-09, ZWG
  ANG: 2, // 2025-03, XCG
  BGN: 2, // 2026-01, EUR
}

/** Digits that count before ISO 4217 in what a gateway answers: those of the profile, and those of ended currencies. */
export const readableDigits = ({ currencyDigits }: Pick<WireProfile, 'currencyDigits'>): CurrencyDigits => ({
  ...endedDigits,
  ...currencyDigits.value,
})

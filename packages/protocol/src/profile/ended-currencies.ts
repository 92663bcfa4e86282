/**
 * Currencies that have ended: an old order may still be returned or charged back in one, but nothing new is sold in it.
 *
 * ISO 4217 does not list the minor units of withdrawn codes; these had as many digits as what took their place.
 *
 * @module
 */

import type { CurrencyDigits } from '@tillkit/signing'
import type { WireProfile } from './profile.js'

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

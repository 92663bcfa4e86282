/**
 * Currencies that have ended: an old order may still be returned or charged back in one, but nothing new is sold in it.
 *
 * ISO 4217 does not list the minor units of withdrawn codes; these had as many digits as what took their place.
 *
 * @module
 */

/** What took the place of each, and when (year and month of the change). */
const successors: Readonly<Record<string, string>> = {
  // 2023-01
  HRK: 'EUR',
  // 2024, one of the new for a thousand of the old
  SLL: 'SLE',
  // 2024-09
  ZWL: 'ZWG',
  // 2025-03
  ANG: 'XCG',
  // 2026-01
  BGN: 'EUR',
}

/** Codes that can be read in replies and not be sent, in no particular order. */
export const endedCurrencies: readonly string[] = Object.freeze(Object.keys(successors))

/**
 * A currency with the same digits that has not ended: the code itself, or what took its place. Of the digits only; an amount
 * is never converted.
 */
export const countedLike = (currency: string): string =>
  Object.hasOwn(successors, currency) ? (successors[currency] ?? currency) : currency

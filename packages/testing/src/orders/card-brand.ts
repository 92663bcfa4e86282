/**
 * Card brands by the first digits of the number.
 *
 * @module
 */

const brands: readonly (readonly [pattern: RegExp, brand: string])[] = [
  [/^220[0-4]/, 'MIR'],
  [/^4/, 'VISA'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^35(2[89]|[3-8])/, 'JCB'],
  [/^(36|38|39|30[0-5])/, 'DINERS_CLUB'],
  [/^(6011|65|64[4-9])/, 'DISCOVER'],
  [/^(62|81)/, 'UNIONPAY'],
  [/^(5[0678]|6)/, 'MAESTRO'],
]

/**
 * The brand of a card number.
 *
 * @returns A word such as `VISA`, or `UNKNOWN`. The interface shows no list of them.
 */
export const cardBrand = (pan: string): string => brands.find(([pattern]) => pattern.test(pan))?.[1] ?? 'UNKNOWN'

/**
 * Amounts as customers read them.
 *
 * @module
 */

/** `24.50 EUR` as `€24.50`. Works on the text: an amount is never a floating-point number here. */
export function money(amount: string, currency: string): string {
  const symbol = { EUR: '€', USD: '$', GBP: '£' }[currency]
  return symbol === undefined ? `${amount} ${currency}` : `${symbol}${amount}`
}

/** Amounts as customers read them. */

/** `1240.00 EUR` as `€1,240.00`. Works on the text: an amount is never a floating-point number here. */
export function money(amount: string, currency: string): string {
  const symbol = { EUR: '€', USD: '$', GBP: '£' }[currency]
  const grouped = amount.replace(/^\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','))
  return symbol === undefined ? `${grouped} ${currency}` : `${symbol}${grouped}`
}

import type { Payment } from '../rules/pay/payment.js'

/**
 * An amount as a customer reads it, such as `€10.00`. Every digit stays as it is, also where the currency is written otherwise.
 *
 * @param language BCP 47 tag.
 * @returns undefined where there is no amount.
 */
export function shownAmount(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  language: string,
): string | undefined {
  if (amount === undefined) return undefined
  const plain = `${amount} ${currency ?? ''}`.trim()
  const fraction = /^\d{1,12}(?:\.(\d{1,3}))?$/.exec(amount)
  if (fraction === null || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return plain
  const digits = fraction[1]?.length ?? 0
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(language, format).format(Number(amount))
}

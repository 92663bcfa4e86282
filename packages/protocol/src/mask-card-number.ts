/**
 * Masking of card numbers: what of one may be shown, and how one is told from other digits.
 *
 * @module
 */

/** What stands in place of a value that is not shown. */
const hidden = '***'

/**
 * First six and last four digits of a card number with asterisks between; `***` for anything that is none.
 *
 * A card number has 13 to 19 digits, with spaces or hyphens if need be; one that is masked already stays as it is.
 */
export function maskCardNumber(value: string): string {
  const digits = value.replace(/[ -]/g, '')
  if (!/^\d{6}[\d*]{3,9}\d{4}$/.test(digits)) return hidden
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

/** Masks whatever looks like a card number in a text: 13 to 19 digits in a row, spaces and hyphens aside, that pass the check. */
export function maskCardNumbers(text: string): string {
  return text.replace(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, found =>
    isCardNumber(found.replace(/[ -]/g, '')) ? maskCardNumber(found) : found,
  )
}

/**
 * Whether `text` is a card number: 13 to 19 digits with a right check digit. Of ten order ids as long, nine do not pass it.
 *
 * @see ISO/IEC 7812-1
 */
export function isCardNumber(text: string): boolean {
  if (!/^\d{13,19}$/.test(text)) return false
  const sum = [...text].reverse().reduce((total, digit, index) => {
    const value = digit.charCodeAt(0) - 48
    const doubled = index % 2 === 1 ? value * 2 : value
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

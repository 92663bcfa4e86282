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

/**
 * What may set groups of a card number apart, as the source of a regular expression (flags `iu`): at most three of white
 * space, dots, hyphens and dashes, slashes, underscores and plus signs, as they are or percent-encoded.
 *
 * Colons, commas and the like are none: they stand between values, and in times of day. No part of it is a digit that
 * stands by itself, so that a search takes time in proportion to the text.
 */
export const cardNumberGap = '(?:[\\s./_+\\p{Pd}]|%[0-9a-f]{2}){1,3}'

/** Made for the first text: they take longer to make than the rest of this file to load. */
let patterns: { readonly run: RegExp; readonly gap: RegExp } | undefined

/**
 * Masks whatever looks like a card number in a text: groups of digits, set apart by at most three separators, that together
 * have 13 to 19 digits and a right check digit. A number that stands before or after hides none.
 */
export function maskCardNumbers(text: string): string {
  patterns ??= {
    run: new RegExp(`\\d(?:(?:${cardNumberGap})?\\d){12,}`, 'giu'),
    gap: new RegExp(`(${cardNumberGap})`, 'iu'),
  }
  const { run, gap } = patterns
  return text.replace(run, found => maskGroups(found.split(gap)))
}

/** @param parts Groups of digits, with what sets them apart between them. */
function maskGroups(parts: readonly string[]): string {
  const shown: string[] = []
  for (let at = 0; at < parts.length; ) {
    const end = endOfCardNumber(parts, at)
    const next = end ?? at + 1
    const found = parts.slice(at, next)
    shown.push(end === undefined ? found.join('') : maskCardNumber(digitsOf(found)), parts[next] ?? '')
    at = next + 1
  }
  return shown.join('')
}

/** Every other part is a group of digits. */
const digitsOf = (parts: readonly string[]): string => parts.filter((_, at) => at % 2 === 0).join('')

/** Most digits a card number has. */
const mostDigits = 19

/** Where the longest card number that starts at a group ends; `undefined` where none does. */
function endOfCardNumber(parts: readonly string[], at: number): number | undefined {
  let digits = ''
  let end: number | undefined
  for (let next = at; next < parts.length; next += 2) {
    const group = parts[next] ?? ''
    if (digits.length + group.length > mostDigits) break
    digits += group
    if (isCardNumber(digits)) end = next + 1
  }
  return end
}

/**
 * Whether `text` is a card number: 13 to 19 digits with a right check digit. Of ten order ids as long, nine do not pass it.
 *
 * @see ISO/IEC 7812-1
 */
export function isCardNumber(text: string): boolean {
  if (!/^\d{13,19}$/.test(text)) return false
  let sum = 0
  for (let at = text.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const value = (text.charCodeAt(at) - 48) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

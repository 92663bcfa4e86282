import { type DigitRange, replaceNumbers, type SpelledNumbers } from './spelled-numbers.js'

/** What stands in place of a value that is not shown. */
export const hidden = '***'

/**
 * First six and last four digits of a card number with asterisks between; `***` for anything else.
 *
 * A card number has 13 to 19 digits, with spaces or hyphens if need be; one that is masked already stays as it is.
 */
export function maskCardNumber(value: string): string {
  const digits = value.replace(/[ -]/g, '')
  if (!/^\d{6}[\d*]{3,9}\d{4}$/.test(digits)) return hidden
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

/**
 * Masks everything that looks like a card number in a text: groups of digits, set apart by at most three separators, that together
 * have 13 to 19 digits and a right check digit. Another number before or after it does not
 * hide it, and neither do invisible characters or percent-escapes.
 */
export const maskCardNumbers = (text: string): string => replaceNumbers(text, cardNumbers)

const cardNumbers: SpelledNumbers = { fewest: 13, find: findCardNumbers, show: maskCardNumber }

/** Masks one number in a text, wherever its digits follow each other, whatever stands between them. */
export function maskNumber(text: string, number: string): string {
  if (number === '') return text
  return replaceNumbers(text, {
    fewest: number.length,
    find: groups => findNumber(groups, number),
    show: maskCardNumber,
  })
}

function findNumber(groups: readonly string[], number: string): readonly DigitRange[] {
  const digits = groups.join('')
  const ranges: DigitRange[] = []
  for (let from = digits.indexOf(number); from >= 0; from = digits.indexOf(number, from + number.length)) {
    ranges.push({ from, to: from + number.length })
  }
  return ranges
}

function findCardNumbers(groups: readonly string[]): readonly DigitRange[] {
  const digits = groups.join('')
  const ranges: DigitRange[] = []
  let from = 0
  // Those that overlap too: which of them is the card cannot be told, and to show what one leaves over shows most of the other.
  for (let at = 0; at < groups.length; at += 1) {
    const to = endOfCardNumber({ groups, digits }, { at, from })
    if (to !== undefined) ranges.push({ from, to })
    from += groups[at]?.length ?? 0
  }
  return ranges
}

/** Most digits a card number has, and fewest. */
const [mostDigits, fewestDigits] = [19, 13]

/** The end of the longest card number that starts with a group. */
function endOfCardNumber(
  { groups, digits }: { readonly groups: readonly string[]; readonly digits: string },
  { at, from }: { readonly at: number; readonly from: number },
) {
  let found: number | undefined
  let to = from
  for (let next = at; next < groups.length; next += 1) {
    to += groups[next]?.length ?? 0
    if (to - from > mostDigits) break
    if (to - from >= fewestDigits && isCheckDigitRight(digits, { from, to })) found = to
  }
  return found
}

/**
 * Whether `text` is a card number: 13 to 19 digits with a right check digit. Of ten order ids as long, nine do not pass it.
 *
 * @see ISO/IEC 7812-1
 */
export const isCardNumber = (text: string): boolean =>
  /^\d{13,19}$/.test(text) && isCheckDigitRight(text, { from: 0, to: text.length })

function isCheckDigitRight(digits: string, { from, to }: DigitRange): boolean {
  let sum = 0
  for (let at = to - 1, isDoubled = false; at >= from; at -= 1, isDoubled = !isDoubled) {
    const value = (digits.charCodeAt(at) - 48) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Cuts, masks and escapes `text`, so that it cannot write its own lines into a log; `none` without a text. */
export const quote = (text: string | undefined): string =>
  text === undefined ? 'none' : JSON.stringify(maskCardNumbers(text.slice(0, 1024)).slice(0, 128))

/** An amount and its currency as they were written, quoted. */
export const quoteMoney = ({
  amount,
  currency,
}: {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}): string =>
  `${amount === undefined ? 'no amount' : quote(amount)} ${currency === undefined ? 'without a currency' : quote(currency)}`

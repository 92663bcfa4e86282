import { shortened } from './shortened.js'

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
 * Masks everything that looks like a card number in a text: groups of digits, set apart by at most three separators, that
 * together have 13 to 19 digits and a right check digit. Another number before or after it does not hide it, and neither do
 * invisible characters or percent-escapes.
 */
export const maskCardNumbers = (text: string): string =>
  replaceNumbers(text, { fewest: Math.min(...cardLengths), find: findCardNumbers })

/**
 * The beginning of a text for people, without what looks like a card number. It is looked for once more after the cut: digits that lose
 * their last one may look like one then.
 *
 * @param most Characters in all.
 */
export const shortMasked = (text: string, most: number): string =>
  maskCardNumbers(shortened(maskCardNumbers(text), most))

/** Masks one number in a text, wherever its digits follow each other, whatever stands between them. */
export function maskNumber(text: string, number: string): string {
  if (number === '') return text
  const find = (groups: readonly string[]) => findNumber(groups.join(''), number)
  return replaceNumbers(text, { fewest: number.length, only: number, find })
}

/** Digits a card number may have, the longest first. */
const cardLengths = [19, 18, 17, 16, 15, 14, 13]

/**
 * Whether `text` is a card number: 13 to 19 digits with a right check digit. Of ten order ids as long, nine do not pass it.
 *
 * @see ISO/IEC 7812-1
 */
export function isCardNumber(text: string): boolean {
  if (!/^\d{13,19}$/.test(text)) return false
  let sum = 0
  for (let at = text.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const value = Number(text[at]) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Cuts, masks and escapes `text`, so that it cannot write its own lines into a log; `none` without a text. */
export const quote = (text: string | undefined): string =>
  text === undefined ? 'none' : inQuotes(shortMasked(text.slice(0, 1024), 128))

/** Text in quotation marks, escaped: no character of it begins a line or steers a terminal. */
export const inQuotes = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** An amount and its currency as they were written, quoted. */
export function quoteMoney(money: {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}): string {
  const { amount, currency } = money
  return `${amount === undefined ? 'no amount' : quote(amount)} ${currency === undefined ? 'without a currency' : quote(currency)}`
}

/** Some digits of a run, counted over all of its groups; `to` is after the last. */
interface DigitRange {
  readonly from: number
  readonly to: number
}

function findNumber(digits: string, number: string): readonly DigitRange[] {
  const ranges: DigitRange[] = []
  for (let from = digits.indexOf(number); from >= 0; from = digits.indexOf(number, from + number.length)) {
    ranges.push({ from, to: from + number.length })
  }
  return ranges
}

/** Finds numbers that overlap, too: which of them is the card cannot be told, and what one leaves over shows most of the other. */
function findCardNumbers(groups: readonly string[]): readonly DigitRange[] {
  const digits = groups.join('')
  const bounds = new Set([0])
  let end = 0
  for (const group of groups) {
    end += group.length
    bounds.add(end)
  }
  return [...bounds].flatMap(from => {
    const isOne = (length: number) => bounds.has(from + length) && isCardNumber(digits.slice(from, from + length))
    const longest = cardLengths.find(isOne)
    return longest === undefined ? [] : { from, to: from + longest }
  })
}

/** What to look for. */
interface SoughtNumbers {
  /** A text, or a run of digits, with fewer digits holds none. */
  readonly fewest: number
  /** The one number that is looked for: a text whose digits do not have it holds none. */
  readonly only?: string
  /** Finds the numbers in a run of digits, which is given in groups. They may overlap. */
  readonly find: (groups: readonly string[]) => readonly DigitRange[]
}

/** One way to read a text. */
interface Reading {
  /** Without it, a text reads as it did before. */
  readonly needs: string
  /** An escape. It captures the digit that it stands for. */
  readonly escapes?: RegExp
  /** A digit, which it captures, or an escape. */
  readonly token: RegExp
}

/**
 * A text is read three times: as it is, with its percent-escapes decoded, and with those decoded that were encoded twice. What
 * follows a percent sign by chance is no escape in the first reading, so that no reading alone hides a number. What any of them
 * finds is replaced. Each takes time in proportion to the text: a server may send any amount of anything.
 */
const readings: readonly Reading[] = [
  { needs: '', token: /(\d)/g },
  { needs: '%', token: /(?:%3)?(\d)|%[\da-f]{2}/gi, escapes: /%(?:3(\d)|[\da-f]{2})/gi },
  { needs: '%25', token: /(?:%(?:25)?3)?(\d)|%(?:25)?[\da-f]{2}/gi, escapes: /%(?:25)?(?:3(\d)|[\da-f]{2})/gi },
]

/** Replaces numbers in a text. What sets their digits apart goes with them. */
function replaceNumbers(text: string, sought: SoughtNumbers): string {
  if (digitsIn(text).length < sought.fewest) return text
  const { only = '' } = sought
  const found = readings
    .filter(({ needs }) => text.includes(needs))
    .filter(({ escapes }) => only === '' || digitsIn(text, escapes).includes(only))
    .flatMap(reading => runsIn(text, reading).flatMap(run => foundIn(run, sought)))
  let masked = ''
  let done = 0
  for (const { from, to, shown } of joined(found)) {
    masked += text.slice(done, from) + shown
    done = to
  }
  return masked + text.slice(done)
}

const digitsIn = (text: string, escapes?: RegExp): string =>
  (escapes === undefined ? text : text.replace(escapes, '$1')).replace(/\D+/g, '')

/** A digit as it is read, and where it is written. */
interface Digit extends DigitRange {
  readonly digit: string
}

/** Digits with nothing but separators between them, in groups with nothing between them. */
type Run = readonly (readonly Digit[])[]

function runsIn(text: string, { token, escapes }: Reading): readonly Run[] {
  const runs: Digit[][][] = []
  let end = 0
  for (const { 0: written, 1: digit, index: from } of text.matchAll(token)) {
    if (digit === undefined) continue
    const gap = text.slice(end, from)
    end = from + written.length
    const place = { digit, from, to: end }
    const run = runs.at(-1)
    if (run !== undefined && gap === '') run.at(-1)?.push(place)
    else if (run !== undefined && separates(gap, escapes)) run.push([place])
    else runs.push([[place]])
  }
  return runs
}

/** Any character but a separator. Colons and commas do not separate digits: they stand between values, and in times of day. */
const otherCharacter = /[^\s./_+\p{Pd}\p{Cc}\p{Cf}\p{DI}]/u

/** Whether a gap between digits has at most three separators and nothing else. Escapes are separators; what is invisible does not count. */
function separates(gap: string, escapes: RegExp | undefined): boolean {
  if (otherCharacter.test(escapes === undefined ? gap : gap.replace(escapes, ''))) return false
  return gap.length <= 3 || [...decoded(gap).replace(/[\p{Cf}\p{DI}]/gu, '')].length <= 3
}

function decoded(gap: string): string {
  try {
    return decodeURIComponent(gap.replaceAll('%25', '%'))
  } catch {
    // No UTF-8: each escape counts as one character.
    return gap.replace(/%(?:25)?[0-9a-f]{2}/gi, '.')
  }
}

/** A number, and what is shown in its place. */
interface Found extends DigitRange {
  readonly shown: string
}

function foundIn(run: Run, { fewest, find }: SoughtNumbers): readonly Found[] {
  const digits = run.flat()
  if (digits.length < fewest) return []
  return find(run.map(textOf)).map(({ from, to }) => ({
    from: digits[from]?.from ?? 0,
    to: digits[to - 1]?.to ?? 0,
    shown: maskCardNumber(textOf(digits.slice(from, to))),
  }))
}

const textOf = (digits: readonly Digit[]): string => digits.map(({ digit }) => digit).join('')

/** Where readings differ, one number may hold the other. Where neither does, nothing of them is shown. */
function joined(found: readonly Found[]): readonly Found[] {
  const all: Found[] = []
  for (const each of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = all.at(-1)
    if (last === undefined || each.from >= last.to) all.push(each)
    else if (each.to > last.to) all.splice(-1, 1, { from: last.from, to: each.to, shown: hidden })
  }
  return all
}

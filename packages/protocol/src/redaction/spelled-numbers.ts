/**
 * Numbers in a text however their digits are written: set apart, with invisible characters between them, or
 * percent-encoded once or twice.
 *
 * A text is read three times: as it is, with its percent-escapes decoded, and with those decoded that were encoded twice. What
 * follows a percent sign by chance is no escape in the first reading, so that no reading alone hides a number. What any of them
 * finds is replaced. Each goes through the text once, character by character: a server may send any amount of anything.
 *
 * @module
 */

/** Some digits of a run, counted over all of its groups. */
export interface DigitRange {
  readonly from: number
  /** The first digit after them. */
  readonly to: number
}

/** What to look for. */
export interface SpelledNumbers {
  /** A text, or a run of digits, with fewer digits holds none. */
  readonly fewest: number
  /** Finds the numbers in a run of digits, in order; they may overlap. Its groups are set apart by at most three separators each. */
  find(groups: readonly string[]): readonly DigitRange[]
  /** What is shown in place of a number. */
  show(digits: string): string
}

/** How often escapes are decoded in each reading, and what a text must hold to read differently than before. */
const readings = [
  { decodings: 0, needs: '' },
  { decodings: 1, needs: '%' },
  { decodings: 2, needs: '%25' },
]

/** Replaces numbers in a text. What sets their digits apart goes with them. */
export function replaceNumbers(text: string, numbers: SpelledNumbers): string {
  if (!hasDigits(text, numbers.fewest)) return text
  const found = readings
    .filter(({ needs }) => text.includes(needs))
    .flatMap(({ decodings }) => numbersIn({ text, decodings }, numbers))
  const shown: string[] = []
  let done = 0
  for (const { from, to, digits } of joined(found)) {
    shown.push(text.slice(done, from), numbers.show(digits))
    done = to
  }
  return shown.length === 0 ? text : shown.join('') + text.slice(done)
}

function hasDigits(text: string, fewest: number): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    if (isDigit(text.charCodeAt(at)) && ++digits >= fewest) return true
  }
  return false
}

interface Found {
  readonly from: number
  readonly to: number
  readonly digits: string
}

/** Where readings differ, one number may hold the other. Where neither does, nothing of them is shown. */
function joined(found: readonly Found[]): readonly Found[] {
  const all: Found[] = []
  for (const each of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = all.at(-1)
    if (last === undefined || each.from >= last.to) all.push(each)
    else if (each.to > last.to) all.splice(-1, 1, { from: last.from, to: each.to, digits: '' })
  }
  return all
}

/** A text in one reading. */
interface Read {
  readonly text: string
  readonly decodings: number
}

/** Digits that stand together, as they are written. */
interface Group {
  readonly at: number
  readonly written: string
}

function numbersIn(read: Read, numbers: SpelledNumbers): readonly Found[] {
  const { text } = read
  const found: Found[] = []
  let run: Group[] = []
  for (let at = 0; at < text.length; ) {
    const end = repeated(endOfDigit, read, at)
    if (end === at) {
      at = endOfEscape(read, at) ?? at + 1
      continue
    }
    run.push({ at, written: text.slice(at, end) })
    at = repeated(endOfSeparator, read, end)
    if (endOfDigit(read, at) !== undefined && !isWide(text.slice(end, at))) continue
    for (const each of foundIn(run, read, numbers)) found.push(each)
    run = []
  }
  return found
}

function repeated(endOf: (read: Read, at: number) => number | undefined, read: Read, from: number): number {
  let at = from
  for (let end = endOf(read, at); end !== undefined; end = endOf(read, at)) at = end
  return at
}

function endOfDigit(read: Read, at: number): number | undefined {
  const code = read.text.charCodeAt(at)
  if (isDigit(code)) return at + 1
  if (code !== percentSign) return undefined
  const end = endOfEscape(read, at)
  return end !== undefined && read.text[end - 2] === '3' && isDigit(read.text.charCodeAt(end - 1)) ? end : undefined
}

/**
 * What sets groups apart: white space, control characters, dots, hyphens and dashes, slashes, underscores, plus signs, what is invisible, and any
 * escape that is no digit. Colons, commas and the like do not: they stand between values, and in times of day.
 */
function endOfSeparator(read: Read, at: number): number | undefined {
  const code = read.text.codePointAt(at)
  if (code === undefined) return undefined
  if (code === percentSign) return endOfDigit(read, at) === undefined ? endOfEscape(read, at) : undefined
  const character = String.fromCodePoint(code)
  const separates =
    code < 0x80 ? isControl(code) || ' ./_+-'.includes(character) : /[\s\p{Pd}\p{Cc}\p{Cf}\p{DI}]/u.test(character)
  return separates ? at + character.length : undefined
}

function endOfEscape({ text, decodings }: Read, at: number): number | undefined {
  if (decodings === 0 || text.charCodeAt(at) !== percentSign) return undefined
  if (decodings === 2 && text.startsWith('25', at + 1) && isHexPair(text, at + 3)) return at + 5
  return isHexPair(text, at + 1) ? at + 3 : undefined
}

const percentSign = 0x25

/** Of ASCII: line feeds and tabs among them. */
const isControl = (code: number): boolean => code < 0x20 || code === 0x7f

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const isHexPair = (text: string, at: number): boolean =>
  isHexDigit(text.charCodeAt(at)) && isHexDigit(text.charCodeAt(at + 1))

/** In either case: one bit tells them apart. */
const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

/** Whether a gap has more than three separators. What is invisible does not count. */
function isWide(gap: string): boolean {
  if (gap.length <= 3) return false
  return [...decoded(gap).replace(/[\p{Cf}\p{DI}]/gu, '')].length > 3
}

function decoded(gap: string): string {
  try {
    return decodeURIComponent(gap.replaceAll('%25', '%'))
  } catch {
    // No UTF-8: each escape counts as one character.
    return gap.replace(/%(?:25)?[0-9a-f]{2}/gi, '.')
  }
}

function foundIn(run: readonly Group[], read: Read, { fewest, find }: SpelledNumbers): readonly Found[] {
  const groups = run.map(({ written }) => (written.includes('%') ? written.replace(/%(?:25)?3(?=\d)/g, '') : written))
  const digits = groups.join('')
  const ranges = digits.length < fewest ? [] : find(groups)
  if (ranges.length === 0) return []
  const places = placesOf(run, read)
  return ranges.map(({ from, to }) => ({
    from: places[from]?.from ?? 0,
    to: places[to - 1]?.to ?? 0,
    digits: digits.slice(from, to),
  }))
}

/** Where each digit of a run is written. */
function placesOf(run: readonly Group[], read: Read): readonly DigitRange[] {
  const places: DigitRange[] = []
  for (const { at, written } of run) {
    for (let from = at; from < at + written.length; ) {
      const to = endOfDigit(read, from) ?? from + 1
      places.push({ from, to })
      from = to
    }
  }
  return places
}

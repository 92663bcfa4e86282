import type { Machines, NumberPattern } from './machines.js'

/** Something that was found. */
export interface Hit {
  /** Place of the card in the list of those that are sought. */
  readonly card: number
  readonly what: 'number' | 'security code'
  /** How it was written there. */
  readonly form: string
  /** Bytes before the first one. */
  readonly offset: number
  /** The name of the field right before the first one, where there is one. */
  readonly before: string
  /** How often it is there in this form. */
  readonly times: number
}

/** The kind of each byte. */
const [separator, digit, letter, nul] = [0, 1, 2, 3] as const
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0) return nul
  if (byte >= 0x30 && byte <= 0x39) return digit
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) ? letter : separator
})
/** Base64 may be broken into lines: bytes up to this one do not count in it. */
const lastBlank = 0x20

/** Most bytes between two digits of one number, of those that are neither letter nor digit. NUL, as in UTF-16, does not count. */
const widestGap = 8
/** Most bytes between the name of a field and a security code. */
const widestNameGap = 12
const besideName = 'beside the name of its field'
const lineEnd = 0x0a

/** How a digit was written. */
const [isApart, isAfterNul] = [1, 2] as const
/** The same of an escape, by its way. */
export const waysOfEscapes = [4, 8, 16] as const
const wordsOfWays = [
  [isApart, 'digits set apart'],
  [isAfterNul, 'UTF-16'],
  [waysOfEscapes[0], 'percent-encoded'],
  [waysOfEscapes[1], 'escaped as in JSON'],
  [waysOfEscapes[2], 'escaped as in HTML'],
] as const

/** Places that are remembered: more than the longest pattern has. A power of two. */
const ring = 128
/** The state that both readings of one text share. */
export interface Findings {
  /** For each card, the end of its latest number that was read with its escapes. */
  readonly ended: Float64Array
  found(card: number, what: Hit['what'], form: string, offset: number): void
  isFound(card: number, what: Hit['what'], form: string): boolean
  /** The mark was met. */
  met(): void
}

/**
 * A reading of the text. There are two of them, since nobody knows whether a `%` begins an escape or stands before a number: one reads
 * escapes, and one takes all bytes as they are. What both find counts once.
 */
export function createReading(
  { cards, digits, digitPatterns, text, textPatterns }: Machines,
  { ended, found, isFound, met }: Findings,
  readsEscapes: boolean,
) {
  const { next: nextOfDigits, isEnd: isEndOfDigits } = digits
  const { next: nextOfText, isEnd: isEndOfText } = text
  let digitState = 0
  let count = 0
  let gap = 0
  let sawNul = false
  /** True while only blanks came since a line began. An indentation may be of any width, and does not set digits apart. */
  let isIndented = false
  const offsets = new Float64Array(ring)
  const how = new Uint8Array(ring)
  let textState = 0
  let textCount = 0
  const textOffsets = new Float64Array(ring)
  /** Bytes that may still come before a security code; 0 where no name was met. */
  let armed = 0
  let run = ''
  let runOffset = 0

  const foundNumber = (card: number, form: string, offset: number, end: number): void => {
    if (readsEscapes) ended[card] = end
    else if (ended[card] === end) return
    found(card, 'number', form, offset)
  }

  const endRun = (): void => {
    if (run === '') return
    const card = run.length === 3 ? cards.findIndex(({ securityCode }) => securityCode === run) : -1
    const isKnown = isFound(card, 'security code', besideName)
    if (card >= 0 && (readsEscapes || !isKnown)) found(card, 'security code', besideName, runOffset)
    run = ''
    armed = 0
  }

  const endDigits = (state: number, end: number): void => {
    for (const index of digits.ends[state] ?? []) {
      const { card, form, length } = digitPatterns[index] as NumberPattern
      let all = 0
      // Bytes before the first digit are not within the number.
      for (let back = 1; back <= length; back += 1) {
        const each = how[(count - back) % ring] ?? 0
        all |= back === length ? each & ~(isApart | isAfterNul) : each
      }
      const words = [form, ...wordsOfWays.map(([bit, word]) => (all & bit ? word : ''))].filter(Boolean)
      foundNumber(card, words.join(', ') || 'as it is', offsets[(count - length) % ring] ?? 0, end)
    }
  }

  /** @returns Whether the name of a field ended. */
  const endText = (state: number, end: number): boolean => {
    let isName = false
    for (const index of text.ends[state] ?? []) {
      const pattern = textPatterns[index] as (typeof textPatterns)[number]
      if (pattern.kind === 'mark') met()
      else if (pattern.kind === 'name') isName = true
      else foundNumber(pattern.card, pattern.form, textOffsets[(textCount - pattern.length) % ring] ?? 0, end)
    }
    return isName
  }

  /** After the name of a field: takes the digits of what may be its security code. */
  const takeCode = (byte: number, kind: number, offset: number): void => {
    if (kind === digit) {
      // Something stands between a name and its value: a name that ends in digits is another one.
      if (armed === widestNameGap) armed = 0
      else {
        if (run === '') runOffset = offset
        run += String.fromCharCode(byte)
      }
      return
    }
    endRun()
    armed = kind === letter ? 0 : Math.max(0, armed - 1)
  }

  return {
    endRun,
    /** @param end Where the byte, or its escape, ends. */
    take(byte: number, way: number, offset: number, end: number): void {
      const kind = kinds[byte] as number
      if (kind === nul) {
        sawNul = true
        return
      }
      let isName = false
      if (byte > lastBlank) {
        textOffsets[textCount & (ring - 1)] = offset
        textCount += 1
        textState = nextOfText[textState * 256 + byte] as number
        isName = isEndOfText[textState] === 1 && endText(textState, end)
      }
      if (kind === digit) {
        const slot = count & (ring - 1)
        offsets[slot] = offset
        how[slot] = way | (gap > 0 ? isApart : 0) | (sawNul ? isAfterNul : 0)
        count += 1
        digitState = nextOfDigits[(gap > widestGap ? 0 : digitState * 10) + byte - 0x30] as number
        gap = 0
        sawNul = false
        isIndented = false
        if (isEndOfDigits[digitState] === 1) endDigits(digitState, end)
      } else if (kind === letter) {
        digitState = 0
        gap = 0
        sawNul = false
        isIndented = false
      } else {
        isIndented = byte === lineEnd || (isIndented && byte <= lastBlank)
        if (!isIndented || byte === lineEnd) gap += 1
      }
      if (isName) {
        armed = widestNameGap
        run = ''
      } else if (armed > 0) takeCode(byte, kind, offset)
    },
  }
}

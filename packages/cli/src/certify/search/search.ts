import { Buffer } from 'node:buffer'
import { type Automaton, automatonOf } from './automaton.js'
import { escapeAt, longestEscape } from './escapes.js'
import { binaryForms, digitForms, textForms } from './forms.js'

/** A card that nobody has, to be looked for. */
export interface SoughtCard {
  readonly number: string
  /** Three digits. */
  readonly securityCode: string
}

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

/** Everything that was found so far. */
export interface Found {
  readonly hits: readonly Hit[]
  /** True if the mark was met. */
  readonly marked: boolean
}

/** A search under way. The pieces may end anywhere. */
export interface Scan {
  push(bytes: Uint8Array): void
  /** Ends it. */
  end(): Found
}

/** Looks for the same cards in many places. */
export interface Search {
  scan(): Scan
}

const names = [
  'cvv2',
  'cvv',
  'cvc2',
  'cvc',
  'cvn',
  'csc',
  'security-code',
  'security_code',
  'securityCode',
  'card_code',
]

/** A name as programs write it: `securityCode`, `securitycode`, `SecurityCode`, `SECURITYCODE`. */
const spellings = (name: string): readonly string[] => [
  ...new Set([name, name.toLowerCase(), name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1)]),
]

type TextPattern =
  | { readonly kind: 'number'; readonly card: number; readonly form: string }
  | { readonly kind: 'name' }
  | { readonly kind: 'mark' }

type NumberPattern = { readonly card: number; readonly form: string; readonly length: number }

interface Machines {
  readonly cards: readonly SoughtCard[]
  readonly digits: Automaton
  readonly digitPatterns: readonly NumberPattern[]
  readonly text: Automaton
  readonly textPatterns: readonly (TextPattern & { readonly length: number })[]
  readonly binary: Automaton
  readonly binaryPatterns: readonly NumberPattern[]
}

/**
 * Prepares a search for cards in all forms of `searchedForms`, in time in proportion to what is searched.
 *
 * @param mark A word that the searched program must have met if it is the right one; undefined where there is none.
 */
export function createSearch(cards: readonly SoughtCard[], mark?: string): Search {
  const ascii = (text: string) => Buffer.from(text, 'latin1')
  const ofDigits = cards.flatMap(({ number }, card) => digitForms(number).map(each => ({ card, ...each })))
  const ofText: readonly (TextPattern & { readonly bytes: Uint8Array })[] = [
    ...cards.flatMap(({ number }, card) => textForms(number).map(each => ({ kind: 'number' as const, card, ...each }))),
    ...names.flatMap(spellings).map(name => ({ kind: 'name' as const, bytes: ascii(name) })),
    ...(mark === undefined ? [] : [{ kind: 'mark' as const, bytes: ascii(mark) }]),
  ]
  const ofBytes = cards.flatMap(({ number }, card) => binaryForms(number).map(each => ({ card, ...each })))
  const machines: Machines = {
    cards,
    digits: automatonOf(
      ofDigits.map(({ digits }) => Uint8Array.from(digits, Number)),
      10,
    ),
    digitPatterns: ofDigits.map(({ card, form, digits }) => ({ card, form, length: digits.length })),
    text: automatonOf(
      ofText.map(({ bytes }) => bytes),
      256,
    ),
    textPatterns: ofText.map(({ bytes, ...each }) => ({ ...each, length: bytes.length })),
    binary: automatonOf(
      ofBytes.map(({ bytes }) => bytes),
      256,
    ),
    binaryPatterns: ofBytes.map(({ card, form, bytes }) => ({ card, form, length: bytes.length })),
  }
  return { scan: () => createScan(machines) }
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
const [isApart, isAfterNul, ...ways] = [1, 2, 4, 8, 16] as const
const wordsOfWays = [
  [isApart, 'digits set apart'],
  [isAfterNul, 'UTF-16'],
  [ways[0], 'percent-encoded'],
  [ways[1], 'escaped as in JSON'],
  [ways[2], 'escaped as in HTML'],
] as const

/** Places that are remembered: more than the longest pattern has. A power of two. */
const ring = 128
/** Bytes that are kept to show what stands before a hit: more than a number takes up with all its gaps, but for NULs. */
const kept = 8_192
/** Bytes before a hit that are looked at for the name of its field. */
const mostBefore = 48

function createScan(machines: Machines): Scan {
  const { cards, digits, digitPatterns, text, textPatterns, binary, binaryPatterns } = machines
  const { next: nextOfDigits, isEnd: isEndOfDigits } = digits
  const { next: nextOfText, isEnd: isEndOfText } = text
  const { next: nextOfBytes, isEnd: isEndOfBytes } = binary
  const hits = new Map<string, Hit>()
  let marked = false

  /** The bytes that are searched, after those that came before and are kept; and the offset of the first. */
  let window: Buffer = Buffer.alloc(0)
  let base = 0
  /** The place of the next byte in the window. */
  let at = 0

  let binaryState = 0
  /** For each card, the end of its latest number that was read with its escapes. */
  const ended = new Float64Array(cards.length).fill(-1)

  const found = (card: number, what: Hit['what'], form: string, offset: number): void => {
    const key = `${card} ${what} ${form}`
    const earlier = hits.get(key)
    if (earlier !== undefined) {
      hits.set(key, { ...earlier, times: earlier.times + 1 })
      return
    }
    const place = offset - base
    // Bytes before a binary form may be text or a number: nothing tells which.
    const isText = !binaryPatterns.some(each => each.form === form)
    const before = isText ? fieldName(window.subarray(Math.max(0, place - mostBefore), Math.max(0, place))) : ''
    hits.set(key, { card, what, form, offset, before, times: 1 })
  }

  const endBinary = (state: number, last: number): void => {
    for (const index of binary.ends[state] ?? []) {
      const { card, form, length } = binaryPatterns[index] as NumberPattern
      found(card, 'number', form, last - length + 1)
    }
  }

  /**
   * A reading of the text. There are two of them, since nobody knows whether a `%` begins an escape or stands before a number: one reads
   * escapes, and one takes all bytes as they are. What both find counts once.
   */
  const createReading = (readsEscapes: boolean) => {
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
      const isKnown = hits.has(`${card} security code ${besideName}`)
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
        if (pattern.kind === 'mark') marked = true
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
  const [decoded, plain] = [createReading(true), createReading(false)]

  const read = (end: number): void => {
    const bytes = window
    let place = at
    let ofBytes = binaryState
    while (place < end) {
      const first = bytes[place] as number
      const offset = base + place
      const escaped = first === 0x25 || first === 0x5c || first === 0x26 ? escapeAt(bytes, place) : undefined
      const next = escaped === undefined ? place + 1 : place + escaped.length
      const way = escaped === undefined ? 0 : (ways[escaped.way] as number)
      decoded.take(escaped === undefined ? first : escaped.byte, way, offset, base + next)
      for (; place < next; place += 1) {
        const byte = bytes[place] as number
        plain.take(byte, 0, base + place, base + next)
        ofBytes = nextOfBytes[ofBytes * 256 + byte] as number
        if (isEndOfBytes[ofBytes] === 1) endBinary(ofBytes, base + place)
      }
    }
    at = place
    binaryState = ofBytes
  }

  return {
    push(bytes) {
      const keep = Math.max(0, at - kept)
      window = Buffer.concat([window.subarray(keep), bytes])
      base += keep
      at -= keep
      // An escape may go on in the next piece.
      read(window.length - longestEscape)
    },
    end() {
      read(window.length)
      decoded.endRun()
      plain.endRun()
      return { hits: [...hits.values()], marked }
    },
  }
}

/** The name of a field that stands right before its value. All else there may be a secret: a password, or another key. */
const fieldName = (before: Buffer): string =>
  /(?<![\w.+/:=@-])([A-Za-z_-]{1,24}\d?)(?:["'\\\]]|%22|%5D)*\s*(?:[:=>]|%3[ad])(?:["'\\\s[({]|%22|%20)*$/i.exec(
    before.toString('latin1'),
  )?.[1] ?? ''

/** The words of a text, which may be shown. A digit could belong to a number, and a long word could be a number in another form. */
export const shown = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[^ -~]+/g, ' ')
    .replace(/\d/g, '#')
    .replace(/[A-Za-z#+/=]{20,}/g, '…')

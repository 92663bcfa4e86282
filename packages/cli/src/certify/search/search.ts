import { Buffer } from 'node:buffer'
import { escapeAt, longestEscape } from './escapes.js'
import { type Machines, machinesFor, type NumberPattern, type SoughtCard } from './machines.js'
import { createReading, type Findings, type Hit, waysOfEscapes } from './reading.js'

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

/**
 * Prepares a search for cards in all forms of `searchedForms`, in time in proportion to what is searched.
 *
 * @param mark A word that the searched program must have met if it is the right one; undefined where there is none.
 */
export function createSearch(cards: readonly SoughtCard[], mark?: string): Search {
  const machines = machinesFor(cards, mark)
  return { scan: () => createScan(machines) }
}

/** Bytes that are kept to show what stands before a hit: more than a number takes up with all its gaps, but for NULs. */
const kept = 8_192
/** Bytes before a hit that are looked at for the name of its field. */
const mostBefore = 48

function createScan(machines: Machines): Scan {
  const { cards, binary, binaryPatterns } = machines
  const { next: nextOfBytes, isEnd: isEndOfBytes } = binary
  const hits = new Map<string, Hit>()
  let marked = false

  /** The bytes that are searched, after those that came before and are kept; and the offset of the first. */
  let window: Buffer = Buffer.alloc(0)
  let base = 0
  /** The place of the next byte in the window. */
  let at = 0

  let binaryState = 0

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

  const findings: Findings = {
    ended: new Float64Array(cards.length).fill(-1),
    found,
    isFound: (card, what, form) => hits.has(`${card} ${what} ${form}`),
    met: () => {
      marked = true
    },
  }
  const [decoded, plain] = [createReading(machines, findings, true), createReading(machines, findings, false)]

  const read = (end: number): void => {
    const bytes = window
    let place = at
    let ofBytes = binaryState
    while (place < end) {
      const first = bytes[place] as number
      const offset = base + place
      const escaped = first === 0x25 || first === 0x5c || first === 0x26 ? escapeAt(bytes, place) : undefined
      const next = escaped === undefined ? place + 1 : place + escaped.length
      const way = escaped === undefined ? 0 : (waysOfEscapes[escaped.way] as number)
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

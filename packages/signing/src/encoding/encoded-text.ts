/**
 * Encoded text in the making. Its bytes are always the same ones: joining some hundred short strings would cost more than
 * the signature over them.
 *
 * One text at a time: whatever is encoded on its own, or asks an object of the caller for something, comes before
 * {@link startText}.
 *
 * @module
 */
import { InvalidInputError } from '../errors.js'
import { isWellFormed } from './well-formed.js'

/** A longer text gets bytes of its own, which are not kept. */
const kept = /* @__PURE__ */ Buffer.alloc(16_384)

let bytes = kept
let length = 0

/** Starts a text: forgets the one there was, which may hold card data. An error may have left it unfinished. */
export function startText(): void {
  if (length === 0) return
  bytes.fill(0, 0, length)
  bytes = kept
  length = 0
}

function makeRoom(more: number): void {
  if (length + more <= bytes.length) return
  const larger = Buffer.alloc(2 * (length + more))
  larger.set(bytes)
  bytes.fill(0)
  bytes = larger
}

/** Adds ASCII text as it is. */
export function addAscii(text: string): void {
  makeRoom(text.length)
  const target = bytes
  let at = length
  for (let index = 0; index < text.length; index++) target[at++] = text.charCodeAt(index)
  length = at
}

/**
 * Adds text, percent-encoded.
 *
 * @throws {@link InvalidInputError} when it holds half of a surrogate pair.
 */
export const addEncoded = (text: string): void => add(text, false)

/**
 * Adds text, percent-encoded twice in one pass: a reserved byte becomes `%25XX`.
 *
 * @throws {@link InvalidInputError} when it holds half of a surrogate pair.
 */
export const addEncodedTwice = (text: string): void => add(text, true)

/** 1 for each unreserved character, by its code. */
const isPlain = /* @__PURE__ */ (() => {
  const plain = new Uint8Array(256)
  for (const range of ['-.', '09', 'AZ', '__', 'az', '~~']) plain.fill(1, range.charCodeAt(0), range.charCodeAt(1) + 1)
  return plain
})()

/** @param limit What a character must be below: 128, or 256 when each stands for one byte of UTF-8. */
function add(text: string, twice: boolean, limit = 128): void {
  makeRoom(5 * text.length)
  const target = bytes
  let at = length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isPlain[code] === 1) {
      target[at++] = code
      continue
    }
    if (code >= limit) {
      add(utf8(text), twice, 256)
      return
    }
    target[at++] = 0x25
    if (twice) {
      target[at++] = 0x32
      target[at++] = 0x35
    }
    target[at++] = hexDigit(code >> 4)
    target[at++] = hexDigit(code & 15)
  }
  length = at
}

const hexDigit = (value: number): number => value + (value < 10 ? 0x30 : 0x37)

/** The UTF-8 bytes of text, a character each. */
function utf8(text: string): string {
  if (isWellFormed(text)) return Buffer.from(text).toString('latin1')
  startText()
  throw new InvalidInputError(
    'text',
    'Text holds half of a surrogate pair: it has no UTF-8 form. Was an emoji cut? Cut by code point.',
  )
}

/** Ends the text and hands it over as bytes, which are overwritten as soon as `use` has returned. @param from The first byte. */
export function takeBytes<Result>(use: (bytes: Uint8Array) => Result, from = 0): Result {
  const result = use(bytes.subarray(from, length))
  startText()
  return result
}

/** Ends the text and hands over a copy of its bytes, for whoever may keep it or read it later. */
export const takeCopy = (from?: number): Buffer => takeBytes(taken => Buffer.from(taken), from)

/** Ends the text and hands it over. */
export function takeText(): string {
  const text = bytes.toString('latin1', 0, length)
  startText()
  return text
}

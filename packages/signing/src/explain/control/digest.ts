import { createHash, hash } from 'node:crypto'
import type { ControlMistake } from './types.js'

/** Computes the SHA-1 digest of a text's UTF-8 bytes, in lower-case hexadecimal. */
export const sha1 = (text: string): string => hash('sha1', text, 'hex')

/** Judges what needs no search: the same value, the same value written differently, and no SHA-1 digest at all. */
export function compareEncodings(controlText: string, expected: unknown): ControlMistake | 'same' | undefined {
  const ours = sha1(controlText)
  if (expected === ours) return 'same'
  const theirs = readDigest(expected)
  if (theirs === undefined) return readOtherDigest(controlText, expected)
  if (theirs !== ours) return undefined
  const text = 'the items agree; the other side writes the digest differently (letter case, Base64 or white space)'
  return { mistake: 'digest-encoding', text }
}

/** Reads a SHA-1 digest in hexadecimal or Base64; `undefined` for anything else. */
export function readDigest(expected: unknown): string | undefined {
  const text = textOf(expected)
  if (/^[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  return /^[A-Za-z0-9+/]{27}=?$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined
}

/** Longest text that is read as a digest, in characters, with white space around it. */
const longestRead = 1024

const textOf = (expected: unknown): string =>
  typeof expected === 'string' && expected.length <= longestRead ? expected.trim() : ''

/** Digests people take for SHA-1, by their length in hexadecimal. */
const otherDigests: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [64, 'SHA-256'],
  [96, 'SHA-384'],
  [128, 'SHA-512'],
])

function readOtherDigest(controlText: string, expected: unknown): ControlMistake {
  const theirs = textOf(expected).toLowerCase()
  const name = /^[0-9a-f]+$/.test(theirs) ? otherDigests.get(theirs.length) : undefined
  if (name !== undefined && createHash(name.replace('-', '')).update(controlText).digest('hex') === theirs) {
    return { mistake: 'digest', text: `the items agree; the other side digests them with ${name}, it must be SHA-1` }
  }
  const what = typeof expected === 'string' ? `${expected.length} characters long` : 'no text'
  const text = `what the other side has is ${what} and no SHA-1 digest (40 hexadecimal characters)`
  return { mistake: 'no-digest', text: name === undefined ? text : `${text}; it may be one of ${name}` }
}

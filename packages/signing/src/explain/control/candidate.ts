import { createHash, hash } from 'node:crypto'

/** A control value as we made it. */
export interface ControlMade {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  readonly controlKey: string
  /** Other values an item may have had, and values of items that this operation does not have. */
  readonly candidates: { readonly [item: string]: readonly string[] | undefined }
  /** Control keys that may have been used by mistake. */
  readonly otherKeys: readonly string[]
}

/**
 * A control string that the other side may have made, which holds the control key, and what the mistake was, without the
 * key: a function where most candidates never need it.
 */
export type ControlCandidate = readonly [
  controlString: string,
  text: string | (() => string),
  more?: {
    /** The item at fault, when it is one, */
    readonly item?: string
    /** and what the other side has for it. */
    readonly value?: string
    /** The items of the other side, where they are not these with one value changed. */
    readonly covered?: () => ControlMade['items']
    /** Digests the text, to lower-case hexadecimal. Default: SHA-1 of its UTF-8 bytes. */
    readonly digest?: (controlString: string) => string
  },
]

/** A mistake that makes the other side's control value. */
export interface FoundControlMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** One sentence, for people. */
  readonly text: string
  /** What the other side digests, key and all, and the items in it. Absent where it is not other text that makes the value. */
  readonly theirs?: { readonly controlString: string; readonly items: ControlMade['items'] }
}

/** The mistake that makes the other side's control value. */
export interface ControlMistake extends Omit<FoundControlMistake, 'theirs'> {
  /** What to do about it, for whoever makes the value. One sentence. */
  readonly fix: string
}

/** Computes the SHA-1 digest of a text's UTF-8 bytes, in lower-case hexadecimal. */
export const sha1 = (text: string): string => hash('sha1', text, 'hex')

/** Judges what needs no search: the same value, the same value written differently, and no SHA-1 digest at all. */
export function compareEncodings(controlText: string, expected: unknown): FoundControlMistake | 'same' | undefined {
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
const otherDigests: Readonly<Record<number, string>> = { 32: 'MD5', 64: 'SHA-256', 96: 'SHA-384', 128: 'SHA-512' }

function readOtherDigest(controlText: string, expected: unknown): FoundControlMistake {
  const theirs = textOf(expected).toLowerCase()
  const name = /^[0-9a-f]+$/.test(theirs) ? otherDigests[theirs.length] : undefined
  if (name !== undefined && createHash(name.replace('-', '')).update(controlText).digest('hex') === theirs) {
    return { mistake: 'digest', text: `the items agree; the other side digests them with ${name}, it must be SHA-1` }
  }
  const what = typeof expected === 'string' ? `${expected.length} characters long` : 'no text'
  const text = `what the other side has is ${what} and no SHA-1 digest (40 hexadecimal characters)`
  return { mistake: 'no-digest', text: name === undefined ? text : `${text}; it may be one of ${name}` }
}

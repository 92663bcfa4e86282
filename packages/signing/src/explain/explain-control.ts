/**
 * Explanation of a control value: what it covers and, when the other side's differs, the mistake that makes theirs.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { type ControlValues, controlString } from '../index.js'
import { type ControlCandidate, type ControlMade, controlMistakes } from './control-mistakes.js'

/** What to explain. */
export interface ExplainControlOptions<Items extends readonly string[]> {
  readonly items: Items
  readonly values: ControlValues<Items>
  readonly controlKey: string
  /** The control value the other side sent or computed, in hexadecimal or Base64. Default: only the items are shown. */
  readonly expected?: string
  /** Other values each item may have had, tried first: the value of another field, of the previous order. */
  readonly candidates?: { readonly [Item in Items[number]]?: readonly string[] }
  /** Control keys that may have been used by mistake: the one for tests, the previous one. Named by their place only. */
  readonly otherKeys?: readonly string[]
}

/** The mistake that makes the other side's control value. */
export interface ControlMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** One sentence, for people. */
  readonly text: string
}

/** A control value laid out. It holds neither the control key nor the control value. */
export interface ControlExplanation {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  /** What is digested, with `<control key>` in place of the key. */
  readonly controlString: string
  /** Whether `expected` is what these items give, in whatever encoding. Absent without `expected`. */
  readonly matches?: boolean
  /** Absent when nothing is wrong, and when no single known mistake makes `expected`. */
  readonly explanation?: ControlMistake
}

/**
 * Lays out what a control value covers and, given the one the other side has, searches for the one mistake that makes it.
 *
 * Work is bounded: at most 400000 digests, a few tenths of a second. Values longer than 128 characters are not edited.
 * Without a separator two mistakes may make the same text (`1` + `23`, `12` + `3`); the first one found is named.
 * The item values are shown as they are, so the result may hold an e-mail address.
 *
 * @throws {@link InvalidInputError} {@link InvalidKeyError} as `controlString` does.
 * @see Interface specification, section 5.1
 */
export function explainControl<const Items extends readonly string[]>({
  items,
  values,
  controlKey,
  expected,
  candidates = {},
  otherKeys = [],
}: ExplainControlOptions<Items>): ControlExplanation {
  const text = controlString(items, values, controlKey)
  const known = values as Readonly<Record<string, string>>
  const covered = items.map(name => ({ name, value: known[name] ?? '' }))
  const made: ControlMade = { items: covered, controlKey, candidates, otherKeys }
  const mask = maskKeys([controlKey, ...otherKeys])
  const layout = {
    items: made.items.map(({ name, value }) => ({ name, value: mask(value) })),
    controlString: `${mask(text.slice(0, text.length - controlKey.length))}<control key>`,
  }
  if (expected === undefined) return layout
  const mistake = compareEncodings(text, expected) ?? searchMistake(made, readDigest(expected))
  if (mistake === undefined) return { ...layout, matches: false }
  if (mistake === 'same') return { ...layout, matches: true }
  const matches = mistake.mistake === 'digest-encoding'
  return { ...layout, matches, explanation: { ...mistake, text: mask(mistake.text) } }
}

/** Masks keys as they are and as JSON writes them, longest first: one may be the beginning of another. */
function maskKeys(keys: readonly string[]): (value: string) => string {
  const spellings = keys
    .flatMap(key => [key, JSON.stringify(key).slice(1, -1)])
    .filter(key => key !== '')
    .sort((a, b) => b.length - a.length)
  return value => spellings.reduce((text, key) => text.replaceAll(key, '<control key>'), value)
}

const digestOf = (algorithm: string, text: string): string => createHash(algorithm).update(text, 'utf8').digest('hex')

const sha1 = (text: string): string => digestOf('sha1', text)

/** Judges what needs no search: the same value, the same value written differently, and no SHA-1 digest at all. */
function compareEncodings(controlText: string, expected: string): ControlMistake | 'same' | undefined {
  const ours = sha1(controlText)
  if (expected === ours) return 'same'
  const theirs = readDigest(expected)
  if (theirs === undefined) return readOtherDigest(controlText, expected)
  if (theirs !== ours) return undefined
  const text = 'the items agree; the other side writes the digest differently (letter case, Base64 or white space)'
  return { mistake: 'digest-encoding', text }
}

function readDigest(expected: string): string | undefined {
  const text = expected.trim()
  if (/^[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  return /^[A-Za-z0-9+/]{27}=?$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined
}

/** Digests people take for SHA-1, by their length in hexadecimal. */
const otherDigests: ReadonlyMap<number, readonly [algorithm: string, name: string]> = new Map([
  [32, ['md5', 'MD5']],
  [64, ['sha256', 'SHA-256']],
  [96, ['sha384', 'SHA-384']],
  [128, ['sha512', 'SHA-512']],
])

function readOtherDigest(controlText: string, expected: string): ControlMistake {
  const theirs = expected.trim().toLowerCase()
  const [algorithm, name] = (/^[0-9a-f]+$/.test(theirs) && otherDigests.get(theirs.length)) || []
  if (algorithm !== undefined && digestOf(algorithm, controlText) === theirs) {
    return { mistake: 'digest', text: `the items agree; the other side digests them with ${name}, it must be SHA-1` }
  }
  const length = `what the other side has is ${expected.length} characters long and no SHA-1 digest (40 hexadecimal characters)`
  return { mistake: 'no-digest', text: name === undefined ? length : `${length}; it may be one of ${name}` }
}

/** Most digests that are tried. */
const mostDigests = 400_000

function searchMistake(made: ControlMade, expected: string | undefined): ControlMistake | undefined {
  let tried = 0
  for (const { mistake, candidates } of controlMistakes) {
    for (const candidate of candidates(made)) {
      tried += 1
      if (tried > mostDigests) return undefined
      const { controlString: text, digest = sha1 } = candidate
      if (digest(text) === expected) return describe(mistake, candidate)
    }
  }
  return undefined
}

const describe = (mistake: string, { item, text }: ControlCandidate): ControlMistake =>
  item === undefined ? { mistake, text } : { mistake, item, text }

/** Writes a {@link ControlExplanation} as text for a terminal or a log, one line an item. */
export function describeControl({ items, controlString: joined, matches, explanation }: ControlExplanation): string {
  const width = Math.max(0, ...items.map(({ name }) => name.length))
  const lines = items.map(({ name, value }) => `  ${name.padEnd(width)}  ${JSON.stringify(value)}`)
  const verdict =
    explanation?.text ??
    (matches === undefined
      ? undefined
      : matches
        ? 'the control value matches'
        : 'no single known mistake makes the other control value: check the key, then two items at a time')
  return [
    'control items, in order:',
    ...lines,
    `digested: ${JSON.stringify(joined)}`,
    ...(verdict === undefined ? [] : [verdict]),
  ].join('\n')
}

/**
 * The search for the one mistake that makes another control value.
 *
 * @module
 */
import { sha1 } from './control-digest.js'
import { type ControlMade, controlMistakes } from './control-mistakes.js'

/** The mistake that makes the other side's control value. */
export interface ControlMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** One sentence, for people. */
  readonly text: string
}

/**
 * Most characters that are digested. A digest costs as much time as some characters, however short the text is. The
 * section `explain` of the benchmark measures a search to the end.
 */
const mostCharacters = 16_000_000
const charactersOfDigest = 512

/** Longest control string whose mistakes are searched, in characters. A longer one would leave time for few of them. */
const longestSearched = 32_768

/**
 * Tries one mistake after another until one has the digest that the other side has.
 *
 * Work is bounded by the number of digests and by the length of what is digested, likelier mistakes first.
 *
 * @param digest SHA-1, in lower-case hexadecimal.
 */
export function searchControl(made: ControlMade, digest: string): ControlMistake | undefined {
  if (made.items.reduce((length, { value }) => length + value.length, made.controlKey.length) > longestSearched) return
  let characters = 0
  for (const { mistake, candidates } of controlMistakes) {
    for (const candidate of candidates(made)) {
      const { controlString, digest: digestOf = sha1 } = candidate
      characters += charactersOfDigest + controlString.length
      if (characters > mostCharacters) return undefined
      if (digestOf(controlString) !== digest) continue
      const { item } = candidate
      const text = typeof candidate.text === 'string' ? candidate.text : candidate.text()
      return item === undefined ? { mistake, text } : { mistake, item, text }
    }
  }
  return undefined
}

/**
 * The search for the one mistake that makes another base string.
 *
 * @module
 */

import { percentEncode } from '../index.js'
import { addressMistakes } from './address-mistakes.js'
import { coveredMistakes } from './covered-mistakes.js'
import { encodingMistakes } from './encoding-mistakes.js'
import { type BaseStringMistakeRow, baseStringVariant, type SignedRequest } from './signed-request.js'

/** The mistake that makes the other side's base string or signature. */
export interface SignatureMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The parameter at fault, when it is one. */
  readonly parameter?: string
  /** One sentence, for people. It holds no value and no secret. */
  readonly text: string
}

/** Every kind of mistake that is tried, likelier ones first. */
export const baseStringMistakes: readonly BaseStringMistakeRow[] = /* @__PURE__ */ (() => [
  ...encodingMistakes.slice(0, 3),
  ...coveredMistakes.slice(0, 1),
  ...addressMistakes,
  ...encodingMistakes.slice(3),
  ...coveredMistakes.slice(1),
])()

/** Most characters of base strings that are made: some tenths of a second. */
const mostCharacters = 16_000_000

/** Longest base string whose mistakes are searched, in characters. A longer one would leave time for few of them. */
const longestSearched = 262_144

/** Tells whether a base string is short enough for its mistakes to be searched. */
export const isSearchable = (baseString: string): boolean => baseString.length <= longestSearched

/**
 * Tries one mistake after another until `reproduces` says that its base string is the other side's.
 *
 * Work is bounded by the length of what is made, so a long request is searched less far, per-parameter mistakes last.
 */
export function searchBaseString(
  request: SignedRequest,
  reproduces: (baseString: string) => boolean,
): SignatureMistake | undefined {
  let made = 0
  for (const { mistake, variants } of baseStringMistakes) {
    for (const { variant, text, parameter } of variants(request)) {
      const baseString = baseStringVariant(request, variant)
      made += baseString.length
      if (made > mostCharacters) return undefined
      if (reproduces(baseString)) return { mistake, ...(parameter === undefined ? {} : { parameter }), text }
    }
  }
  return searchWholeText(baseStringVariant(request, {}), reproduces)
}

function searchWholeText(right: string, reproduces: (baseString: string) => boolean): SignatureMistake | undefined {
  const changed: readonly (readonly [mistake: string, baseString: string, text: string])[] = [
    [
      'line-break-after',
      `${right}\n`,
      'the other side has a line feed after the base string; was it read from a file?',
    ],
    [
      'line-break-after',
      `${right}\r\n`,
      'the other side has a line break after the base string; was it read from a file?',
    ],
    ['encoded-again', percentEncode(right), 'the other side encodes the whole base string once more'],
    [
      'base-64',
      Buffer.from(right).toString('base64'),
      'the other side signs the Base64 of the base string; sign its bytes',
    ],
  ]
  const found = changed.find(([, baseString]) => reproduces(baseString))
  return found === undefined ? undefined : { mistake: found[0], text: found[2] }
}

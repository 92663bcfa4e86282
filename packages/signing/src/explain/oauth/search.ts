import { percentEncode } from '../../index.js'
import { addressMistakes } from './address-mistakes.js'
import { coveredMistakes } from './covered-mistakes.js'
import { encodingMistakes } from './encoding-mistakes.js'
import type { FoundSignatureMistake, ReceivedSignature } from './received.js'
import {
  type BaseStringMistakeRow,
  type BaseStringVariant,
  baseStringMaker,
  isEncodedRight,
  isSortedAnew,
  type SignedRequest,
} from './request.js'

/** A signature of the other side, and what it should cover. */
export interface SignatureSearch {
  readonly request: SignedRequest
  /** Our base string. */
  readonly baseString: string
  /** The signature of the other side, in every way it can be read; at least one. */
  readonly readings: readonly [ReceivedSignature, ...ReceivedSignature[]]
}

/** What happens to a base string after it is made. */
const wholeTextMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'line-break-after',
    text: 'the other side has a line feed after the base string; was it read from a file?',
    variants: () => [{ change: right => `${right}\n` }],
  },
  {
    mistake: 'line-break-after',
    text: 'the other side has a line break after the base string; was it read from a file?',
    variants: () => [{ change: right => `${right}\r\n` }],
  },
  {
    mistake: 'encoded-again',
    text: 'the other side encodes the whole base string, or the parameters in it, once more',
    variants: () => [{ change: percentEncode }, { change: encodeParameters }],
  },
  {
    mistake: 'base-64',
    text: 'the other side signs the Base64 of the base string; sign its bytes',
    variants: () => [{ change: right => Buffer.from(right).toString('base64') }],
  },
]

/** Every kind of mistake that is tried, likelier ones first. */
export const baseStringMistakes: readonly BaseStringMistakeRow[] = /* @__PURE__ */ (() => [
  ...wholeTextMistakes,
  ...encodingMistakes.slice(0, 3),
  ...coveredMistakes.slice(0, 1),
  ...addressMistakes,
  ...encodingMistakes.slice(3),
  ...coveredMistakes.slice(1),
])()

/**
 * Most characters of base strings that are made. A parameter that is sorted, or encoded and sorted, costs as much time as
 * some characters. The section `explain` of the benchmark measures a search to the end.
 */
export const mostCharacters = 5_000_000
const charactersOfSorting = 128
const charactersOfEncoding = 512
const timesOfEncoding = 4

/** Longest base string whose mistakes are searched, in characters. A longer one would leave time for few of them. */
const longestSearched = 65_536

/** Tells whether a base string is short enough for its mistakes to be searched. */
export const isSearchable = (baseString: string): boolean => baseString.length <= longestSearched

/** Tries one mistake after another until `reproduces` says that its base string is the other side's. */
export function searchBaseString(
  request: SignedRequest,
  reproduces: (baseString: string) => boolean,
): FoundSignatureMistake | undefined {
  const make = baseStringMaker(request)
  const parameters = request.covered.length
  let made = 0
  for (const { mistake, text, parameter: ofRow, variants } of baseStringMistakes) {
    for (const variant of variants(request)) {
      if (made > mostCharacters) return undefined
      const baseString = make(variant)
      made += costOf(variant, baseString.length, parameters)
      if (!reproduces(baseString)) continue
      const parameter = ofRow ?? variant.altered?.parameter[0]
      const said = typeof text === 'string' ? text : text(variant, request)
      return { mistake, ...(parameter === undefined ? {} : { parameter }), text: said, theirs: baseString }
    }
  }
  return undefined
}

/** What a base string costs, as many characters of what is digested as take the time. */
function costOf(variant: BaseStringVariant, length: number, parameters: number): number {
  if (!isEncodedRight(variant)) return timesOfEncoding * length + charactersOfEncoding * parameters
  return length + (isSortedAnew(variant) ? charactersOfSorting * parameters : 0)
}

/** Encodes the joined parameters once more. Method and address stay as they are. */
function encodeParameters(baseString: string): string {
  const [method = '', address = '', parameters = ''] = baseString.split('&')
  return [method, address, percentEncode(parameters)].join('&')
}

import { decodeOnce } from '../control/text-mistakes.js'
import { type ComparedLine, type CoveredText, compareCovered } from '../written/compared.js'
import { methods } from './difference.js'
import type { BaseStringParts, ShownBaseString } from './shown.js'

/** What is known of the base string of the other side. */
export interface OtherBaseString {
  readonly baseString: unknown
  /** Whether it is ours with a known mistake in it; of any other text it cannot be told what is in it. */
  readonly isMadeOfOurs: boolean
}

/** Lays out a base string line by line, method and address first, as they stand in it. */
export function linesOf({ parts }: ShownBaseString): ComparedLine[] {
  const { method, encodedAddress, parameters } = parts
  return [
    { name: 'method', ours: method },
    { name: 'address', ours: encodedAddress },
    ...parameters.map(({ name, encoded }) => ({ name, ours: encoded })),
  ]
}

/** Puts two base strings side by side; `undefined` when the other text is not made of three parts. */
export function compareLines(shown: ShownBaseString, { baseString, isMadeOfOurs }: OtherBaseString) {
  if (typeof baseString !== 'string') return undefined
  const theirs = shown.split(baseString) ?? (isMadeOfOurs ? splitUnencoded(baseString) : undefined)
  if (theirs === undefined) return undefined
  const ours = shown.actual
  const isKnown = isMadeOfOurs || methods.includes(theirs.method.toUpperCase())
  const isSameAddress = theirs.encodedAddress === ours.encodedAddress
  const address = isMadeOfOurs || isSameAddress ? shown.addressOf(theirs.encodedAddress) : '…'
  return [
    pair('method', [ours.method, shown.parts.method], [theirs.method, isKnown ? theirs.method : '…']),
    pair('address', [ours.encodedAddress, shown.parts.encodedAddress], [theirs.encodedAddress, address]),
    ...compareCovered(coveredBy(shown), theirParameters(theirs, shown)),
  ]
}

/** Takes a base string apart whose parameters were joined and not encoded. */
function splitUnencoded(baseString: string): BaseStringParts | undefined {
  const [method = '', encodedAddress, ...pairs] = baseString.split('&')
  if (encodedAddress === undefined || pairs.length === 0) return undefined
  const parameters = pairs.map(encoded => {
    const [name = '', ...values] = encoded.split('=')
    return { name: decodeOnce(name), value: decodeOnce(values.join('=')), encoded }
  })
  return { method, encodedAddress, parameters }
}

type ActualAndShown = readonly [actual: string, shown: string]

const pair = (name: string, [ours, shownOurs]: ActualAndShown, [theirs, shownTheirs]: ActualAndShown): ComparedLine => {
  return { name, ours: shownOurs, theirs: shownTheirs, differs: ours !== theirs }
}

const coveredBy = ({ actual, parts }: ShownBaseString): CoveredText[] =>
  parts.parameters.map(({ name, encoded }, place) => {
    return { name, shown: encoded, actual: actual.parameters[place]?.encoded ?? '' }
  })

const theirParameters = ({ parameters }: BaseStringParts, shown: ShownBaseString): CoveredText[] =>
  parameters.map(parameter => {
    const name = shown.nameOf(parameter.name) ?? '…'
    return { name, shown: shown.theirs(parameter), actual: parameter.encoded }
  })

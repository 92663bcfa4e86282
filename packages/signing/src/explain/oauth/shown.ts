import { InvalidInputError, percentEncode } from '../../index.js'
import { type Concealment, concealmentOf } from './concealment.js'

/** Shows a parameter's value, or something in its place when the value must not be seen. */
export type ParameterMask = (name: string, value: string) => string

/** One parameter as a base string has it. */
export interface BaseStringParameter {
  readonly name: string
  readonly value: string
  /** As it stands in the base string: `name%3Dvalue`, encoded twice. */
  readonly encoded: string
}

/** The three parts of a base string. */
export interface BaseStringParts {
  readonly method: string
  /** As it stands in the base string, encoded once. */
  readonly encodedAddress: string
  readonly parameters: readonly BaseStringParameter[]
}

/**
 * Takes a base string apart without checking that it is a good one.
 *
 * @returns `undefined` when it does not consist of three parts joined with `&`, or an escape is malformed.
 */
export function splitBaseString(text: string): BaseStringParts | undefined {
  const [method, encodedAddress, encodedParameters, ...more] = text.split('&', 4)
  if (method === undefined || encodedAddress === undefined || encodedParameters === undefined) return undefined
  if (more.length > 0) return undefined
  try {
    decodeURIComponent(encodedAddress)
    const pieces = encodedParameters === '' ? [] : encodedParameters.split(/%26/)
    return { method, encodedAddress, parameters: pieces.map(splitParameter) }
  } catch {
    return undefined
  }
}

function splitParameter(encoded: string): BaseStringParameter {
  const pair = decodeURIComponent(encoded)
  const border = pair.indexOf('=')
  const name = decodeURIComponent(border < 0 ? pair : pair.slice(0, border))
  return { name, value: border < 0 ? '' : decodeURIComponent(pair.slice(border + 1)), encoded }
}

/** Joins the parts of a base string again. */
export const joinBaseString = ({ method, encodedAddress, parameters }: BaseStringParts): string =>
  [method, encodedAddress, parameters.map(({ encoded }) => encoded).join('%26')].join('&')

/** What may be seen of a base string and of its counterpart. */
export interface ShownBaseString {
  /** Ours. */
  readonly parts: BaseStringParts
  /** Whether nothing is hidden in our address, so that what is before a difference in it is the other side's as well. */
  readonly isAddressShown: boolean
  /** Hides values in text of ours. */
  readonly conceal: (text: string) => string
  /** A parameter of the other side as it may be shown: as it stands, or with `…` in place of what may be a secret. */
  readonly theirs: (parameter: BaseStringParameter) => string
  /** The name of a parameter of either side, or `undefined` when it may hold a value. */
  readonly nameOf: (name: string) => string | undefined
}

/** What {@link showBaseString} needs. */
export interface BaseStringToShow {
  readonly parts: BaseStringParts
  readonly mask: ParameterMask
  /** What must not be seen besides the values that `mask` hides. */
  readonly secrets: readonly string[]
}

/**
 * Works out what may be seen.
 *
 * @throws {@link InvalidInputError} when `mask` returns something else than text.
 */
export function showBaseString({ parts, mask, secrets }: BaseStringToShow): ShownBaseString {
  const masked = parts.parameters.map(({ name, value }) => checked(mask(name, value)))
  const hidden = parts.parameters.map(({ value }) => value).filter((value, index) => value !== masked[index])
  const concealment = concealmentOf([...hidden, ...secrets])
  const { conceal } = concealment
  const shown = parts.parameters.map((parameter, index) => {
    const { name, value } = parameter
    const seen = masked[index] ?? ''
    return withText(parameter, { name: conceal(name), value: seen === value ? conceal(value) : seen })
  })
  const ours = new Map<string, OurParameter[]>()
  for (const [index, parameter] of parts.parameters.entries()) {
    const ofName = ours.get(parameter.name)
    const ourParameter = { parameter, shown: shown[index] ?? parameter }
    if (ofName === undefined) ours.set(parameter.name, [ourParameter])
    else ofName.push(ourParameter)
  }
  const encodedAddress = concealAddress(parts.encodedAddress, conceal)
  return {
    parts: { method: parts.method, encodedAddress, parameters: shown },
    isAddressShown: encodedAddress === parts.encodedAddress,
    conceal,
    theirs: parameter => showTheirs(parameter, { ours: ours.get(parameter.name) ?? [], mask, concealment }),
    nameOf: name => (ours.has(name) ? conceal(name) : isPlainName(name, concealment) ? name : undefined),
  }
}

interface OurParameter {
  readonly parameter: BaseStringParameter
  readonly shown: BaseStringParameter
}

function checked(text: unknown): string {
  if (typeof text === 'string') return text
  throw new InvalidInputError('mask', '"mask" must return text: the value, or what is shown in its place.')
}

/** A changed parameter is encoded right; an unchanged one keeps its encoding, right or wrong. */
function withText(
  parameter: BaseStringParameter,
  { name, value }: { readonly name: string; readonly value: string },
): BaseStringParameter {
  if (name === parameter.name && value === parameter.value) return parameter
  return { name, value, encoded: percentEncode(`${percentEncode(name)}=${percentEncode(value)}`) }
}

/** Hides segments of the path. Scheme and host are not secret. */
function concealAddress(encoded: string, conceal: (text: string) => string): string {
  const [scheme = '', empty = '', host = '', ...segments] = encoded.split('%2F')
  return [scheme, empty, host, ...segments.map(conceal)].join('%2F')
}

interface ShownBeside {
  /** Our parameters of that name. */
  readonly ours: readonly OurParameter[]
  readonly mask: ParameterMask
  readonly concealment: Concealment
}

function showTheirs({ name, value, encoded }: BaseStringParameter, { ours, mask, concealment }: ShownBeside): string {
  const [first] = ours
  if (first === undefined) return '…'
  const same = ours.find(({ parameter }) => parameter.encoded === encoded)
  if (same !== undefined) return same.shown.encoded
  const seen = ours.map(({ parameter }) => parameter.encoded).join('&')
  const open = ours.every(({ parameter, shown }) => parameter === shown)
  if (open && mask(name, value) === value && !concealment.betrays(encoded, seen)) return encoded
  return `${percentEncode(`${percentEncode(first.shown.name)}=`)}…`
}

/** Names look like this, and values that begin with a letter are seldom as short. */
const isPlainName = (name: string, { betrays }: Concealment): boolean =>
  /^[A-Za-z][\w.[\]-]{0,39}$/.test(name) && !betrays(name, '')

import { InvalidInputError, percentEncode } from '../../index.js'
import { concealmentOf } from './concealment.js'

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

/** Takes a base string apart; `undefined` when it is not three parts joined with `&`, or an escape is malformed. */
export function splitBaseString(text: string): BaseStringParts | undefined {
  const [method = '', encodedAddress, encodedParameters, more] = text.split('&', 4)
  if (encodedAddress === undefined || encodedParameters === undefined || more !== undefined) return undefined
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
export type ShownBaseString = ReturnType<typeof showBaseString>

/** Works out what may be seen. The secrets must not be seen, besides the values that `mask` hides. */
export function showBaseString(parts: BaseStringParts, mask: ParameterMask, secrets: readonly string[]) {
  const masked = parts.parameters.map(({ name, value }) => checked(mask(name, value)))
  const hidden = parts.parameters.map(({ value }) => value).filter((value, index) => value !== masked[index])
  const { conceal, betrays } = concealmentOf([...hidden, ...secrets])
  const ours = new Map<string, { readonly parameter: BaseStringParameter; readonly shown: BaseStringParameter }[]>()
  const parameters = parts.parameters.map((parameter, index) => {
    const { name, value } = parameter
    const seen = masked[index] ?? ''
    const shown = withText(parameter, conceal(name), seen === value ? conceal(value) : seen)
    const named = ours.get(name)
    if (named === undefined) ours.set(name, [{ parameter, shown }])
    else named.push({ parameter, shown })
    return shown
  })
  const encodedAddress = concealAddress(parts.encodedAddress, conceal)
  return {
    /** What is compared with the other side: as it is. */
    actual: parts,
    parts: { method: parts.method, encodedAddress, parameters },
    /** Whether nothing is hidden in our address: then what stands before a difference in it is the other side's as well. */
    isAddressShown: encodedAddress === parts.encodedAddress,
    conceal,
    split: splitOnce(),
    /** The address of the other side, where it is made of ours. */
    addressOf: (encoded: string): string => concealAddress(encoded, conceal),
    /** A parameter of the other side as it may be shown: as it stands, or with `…` in place of what may be a secret. */
    theirs({ name, value, encoded }: BaseStringParameter): string {
      const named = ours.get(name)
      if (named === undefined) return '…'
      const same = named.find(({ parameter }) => parameter.encoded === encoded)
      if (same !== undefined) return same.shown.encoded
      const seen = named.map(({ parameter }) => parameter.encoded).join('&')
      const isOpen = named.every(({ parameter, shown }) => parameter === shown)
      if (isOpen && mask(name, value) === value && !betrays(encoded, seen)) return encoded
      return `${percentEncode(`${percentEncode(conceal(name))}=`)}…`
    },
    /** The name of a parameter of either side; `undefined` where it may be a value, which seldom looks like a name. */
    nameOf(name: string): string | undefined {
      const [known] = ours.get(name) ?? []
      if (known !== undefined) return known.shown.name
      return /^[A-Za-z][\w.[\]-]{0,39}$/.test(name) && !betrays(name, '') ? name : undefined
    },
  }
}

/** Takes base strings apart, the same one once: it may be long, and is asked for twice. */
function splitOnce(): typeof splitBaseString {
  let last: { readonly text: string; readonly parts: BaseStringParts | undefined } | undefined
  return text => {
    if (last?.text !== text) last = { text, parts: splitBaseString(text) }
    return last.parts
  }
}

function checked(text: unknown): string {
  if (typeof text === 'string') return text
  throw new InvalidInputError('mask', '"mask" must return text: the value, or what is shown in its place.')
}

/** A changed parameter is encoded right; an unchanged one keeps its encoding, right or wrong. */
function withText(parameter: BaseStringParameter, name: string, value: string): BaseStringParameter {
  if (name === parameter.name && value === parameter.value) return parameter
  return { name, value, encoded: percentEncode(`${percentEncode(name)}=${percentEncode(value)}`) }
}

/** Hides segments of the path. Scheme and host are not secret. */
function concealAddress(encoded: string, conceal: (text: string) => string): string {
  const [scheme = '', empty = '', host = '', ...segments] = encoded.split('%2F')
  return [scheme, empty, host, ...segments.map(conceal)].join('%2F')
}

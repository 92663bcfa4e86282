/**
 * What may be seen of the two base strings: of ours everything that is not hidden, of the other side's only what is
 * known to be no secret, for nobody knows what a text holds that was put together wrong.
 *
 * @module
 */
import { InvalidInputError, percentEncode } from '../../index.js'
import type { BaseStringParameter, BaseStringParts, ParameterMask } from './base-string-parts.js'
import { type Concealment, concealmentOf } from './concealment.js'

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

/** A parameter that is changed is written as it should be; one that is not keeps its encoding, right or wrong. */
function withText(
  parameter: BaseStringParameter,
  { name, value }: { readonly name: string; readonly value: string },
): BaseStringParameter {
  if (name === parameter.name && value === parameter.value) return parameter
  return { name, value, encoded: percentEncode(`${percentEncode(name)}=${percentEncode(value)}`) }
}

/** Hides segments of the path. Scheme and host are no secret. */
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

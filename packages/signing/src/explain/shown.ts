import { InvalidInputError, percentEncode } from '../index.js'
import { type ComparedLine, type CoveredText, compareCovered } from './lines.js'

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
 * Takes a base string apart; `undefined` when it is not three parts joined with `&`, or an escape is malformed.
 *
 * @param isUnencoded Whether the parameters may be joined with `&` as well. Default: `false`.
 */
export function splitBaseString(text: string, isUnencoded = false): BaseStringParts | undefined {
  const [method = '', encodedAddress, ...rest] = text.split('&')
  if (encodedAddress === undefined || rest.length === 0 || (rest.length > 1 && !isUnencoded)) return undefined
  try {
    decodeURIComponent(encodedAddress)
    const pieces = rest.length > 1 ? rest : (rest[0] ?? '').split('%26').filter(piece => piece !== '')
    return { method, encodedAddress, parameters: pieces.map(splitParameter) }
  } catch {
    return undefined
  }
}

function splitParameter(encoded: string): BaseStringParameter {
  const [name = '', ...value] = decodeURIComponent(encoded).split('=')
  return { name: decodeURIComponent(name), value: decodeURIComponent(value.join('=')), encoded }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Works out what may be seen of a base string: not what `mask` hides, and no secret, wherever they stand. */
export function showBaseString(actual: BaseStringParts, mask: ParameterMask, secrets: readonly string[]) {
  const masked = actual.parameters.map(({ name, value }) => maskedText(mask(name, value)))
  const hidden = actual.parameters.flatMap(({ value }, at) => (value === masked[at] ? [] : [value]))
  const { conceal, betrays } = concealmentOf([...hidden, ...secrets])
  const parameters = actual.parameters.map((parameter, at) => {
    const { name, value } = parameter
    const seen = { name: conceal(name), value: masked[at] === value ? conceal(value) : (masked[at] ?? '') }
    // A changed parameter is encoded right; an unchanged one keeps its encoding.
    if (seen.name === name && seen.value === value) return parameter
    return { ...seen, encoded: percentEncode(`${percentEncode(seen.name)}=${percentEncode(seen.value)}`) }
  })
  const concealAddress = (encoded: string): string =>
    encoded
      .split('%2F')
      .map((part, at) => (at < 3 ? part : conceal(part)))
      .join('%2F')
  const parts = { method: actual.method, encodedAddress: concealAddress(actual.encodedAddress), parameters }
  const ownOf = (name: string) => parameters.filter((_, at) => actual.parameters[at]?.name === name)
  const ours = parameters.map(({ name, encoded }, at): CoveredText => {
    return { name, shown: encoded, actual: actual.parameters[at]?.encoded ?? '' }
  })

  /** A parameter of the other side: `…` stands for what may be a secret. */
  function theirs({ name, value, encoded }: BaseStringParameter): CoveredText {
    const own = ownOf(name)
    const isName = /^[A-Za-z][\w.[\]-]{0,39}$/.test(name) && !betrays(name, '')
    const covered = (shown: string) => ({ name: own[0]?.name ?? (isName ? name : '…'), shown, actual: encoded })
    const same = actual.parameters.findIndex(parameter => parameter.encoded === encoded)
    if (same >= 0) return covered(parameters[same]?.encoded ?? '…')
    const isOpen = own.every(parameter => actual.parameters.includes(parameter)) && mask(name, value) === value
    const seen = own.map(parameter => parameter.encoded).join('&')
    if (own.length > 0 && isOpen && !betrays(encoded, seen)) return covered(encoded)
    return covered(own.length === 0 ? '…' : `${percentEncode(`${percentEncode(conceal(name))}=`)}…`)
  }

  return {
    parts,
    conceal,
    /** Method, address and each parameter, as they stand in the base string. */
    lines: [
      { name: 'method', ours: parts.method },
      { name: 'address', ours: parts.encodedAddress },
      ...ours.map(({ name, shown }) => ({ name, ours: shown })),
    ],
    /**
     * The lines beside those of another base string; `undefined` when that is not made of three parts.
     *
     * @param isMadeOfOurs Whether it is ours with a known mistake in it; of any other text it cannot be told what is in it.
     */
    compare(baseString: string, isMadeOfOurs: boolean): ComparedLine[] | undefined {
      const other = splitBaseString(baseString, isMadeOfOurs)
      if (other === undefined) return undefined
      const { method, encodedAddress } = other
      const isKnown = isMadeOfOurs || methods.includes(method.toUpperCase())
      const isOurAddress = isMadeOfOurs || encodedAddress === actual.encodedAddress
      const address = isOurAddress ? concealAddress(encodedAddress) : '…'
      return [
        { name: 'method', ours: parts.method, theirs: isKnown ? method : '…', differs: method !== actual.method },
        {
          name: 'address',
          ours: parts.encodedAddress,
          theirs: address,
          differs: encodedAddress !== actual.encodedAddress,
        },
        ...compareCovered(ours, other.parameters.map(theirs)),
      ]
    },
  }
}

function maskedText(text: unknown): string {
  if (typeof text === 'string') return text
  throw new InvalidInputError('mask', '"mask" must return text: the value, or what is shown in its place.')
}

/** How many neighbouring letters and digits of a hidden value are too many. */
const pieceLength = 4

/** Remembers values that must not be seen. */
function concealmentOf(hidden: readonly string[]) {
  const values = [...new Set(hidden.flatMap(readingsOf))].filter(value => value !== '')
  const long = values.filter(({ length }) => length >= pieceLength)
  const pieces = new Set(values.flatMap(value => (value.length < pieceLength ? [value] : windows(value, pieceLength))))
  return {
    /** Gives `***` for a text that holds a hidden value of four letters and digits or more, else the text. */
    conceal: (text: string): string =>
      readingsOf(text).some(reading => long.some(value => reading.includes(value))) ? '***' : text,
    /**
     * Tells whether `text` holds four neighbouring characters of a hidden value, or all of a shorter one, that are not in
     * `shown`, which is seen anyway.
     */
    betrays(text: string, shown: string): boolean {
      const seen = readingsOf(shown).join(' ')
      const found = readingsOf(text).flatMap(reading => [1, 2, 3, 4].flatMap(length => windows(reading, length)))
      return found.some(piece => pieces.has(piece) && !seen.includes(piece))
    },
  }
}

const windows = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))

/** How often escapes are decoded: a base string encodes twice, people once too often, and a mistake once more. */
const mostDecodings = 4

/**
 * Reads a text as it is, then with its escapes decoded once more each time. Only letters, in lower case, digits and the bytes
 * of what is not ASCII are kept, one character a byte: spaces, their `+` and separators make no difference.
 */
function readingsOf(text: string): readonly string[] {
  const readings: string[] = []
  let bytes = Buffer.from(text).toString('latin1')
  for (;;) {
    readings.push(bytes.replace(/[^a-z0-9\u0080-\u00ff]+/gi, '').toLowerCase())
    const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === bytes || readings.length > mostDecodings) return readings
    bytes = decoded
  }
}

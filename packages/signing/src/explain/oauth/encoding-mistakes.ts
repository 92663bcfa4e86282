import { type Parameter, percentEncode } from '../../index.js'
import type { FoundSignatureMistake } from './received.js'
import {
  type BaseStringMistakeRow,
  type BaseStringVariant,
  byNameThenValue,
  compareText,
  type SignedRequest,
} from './request.js'

type Encode = (text: string) => string

const asIs: Encode = text => text
const plus: Encode = text => percentEncode(text).replaceAll('%20', '+')
const form: Encode = text => new URLSearchParams([['', text]]).toString().slice(1)
const javaForm: Encode = text => form(text).replaceAll('~', '%7E')
const rawTilde: Encode = text => percentEncode(text).replaceAll('~', '%7E')
const smallEscapes: Encode = text => percentEncode(text).replace(/%../g, code => code.toLowerCase())
const latin1: Encode = text =>
  Array.from(Buffer.from(text, 'latin1'), byte =>
    byte < 0x80 ? percentEncode(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`,
  ).join('')

/** Mistakes in encoding and sorting, RFC 5849 sections 3.6 and 3.4.1.3.2. To add one, add a row. */
export const encodingMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'plus-for-space',
    text: 'the other side encodes a space as "+"; it must be %20, so %2520 in the base string',
    variants: () => [
      ...by(plus),
      { encode: plus, encodePart: asIs },
      ...by(form),
      ...by(javaForm),
      { encodePart: form },
    ],
  },
  {
    mistake: 'encode-uri-component',
    text: "the other side leaves ! ' ( ) * alone, as encodeURIComponent does; they must be encoded",
    variants: () => [
      ...by(encodeURIComponent),
      { encodePart: encodeURIComponent },
      { encode: encodeURI },
      { encode: encodeURI, encodePart: encodeURIComponent },
    ],
  },
  {
    mistake: 'single-encoding',
    text: 'the other side encodes once; names and values are encoded, and the joined text once more',
    variants: () => [
      { encode: asIs },
      { encodePart: asIs },
      { encode: asIs, compare: byBytes },
      { encode: asIs, encodePart: encodeURIComponent },
      { encode: encodeURIComponent, encodePart: asIs },
      { encode: asIs, encodePart: asIs },
      { change: decodeJoined },
      { change: right => decodeJoined(decodeJoined(right)) },
    ],
  },
  {
    mistake: 'single-encoding',
    text: (_variant, { protocol }) =>
      `${encodable(protocol).join(', ')}: the other side takes the value as it is; values of oauth_* parameters are encoded like all others`,
    variants: ({ protocol }) => (encodable(protocol).length === 0 ? [] : [{ write: protocolAsIs }]),
  },
  {
    mistake: 'triple-encoding',
    text: 'the other side encodes names and values twice before it joins them; once is right',
    variants: () => [
      { encode: text => percentEncode(percentEncode(text)) },
      { encode: text => encodeURIComponent(encodeURIComponent(text)), encodePart: encodeURIComponent },
    ],
  },
  {
    mistake: 'tilde-encoded',
    text: 'the other side encodes "~"; it must stay as it is (RFC 3986, not RFC 2396)',
    variants: () => by(rawTilde),
  },
  {
    mistake: 'escapes-in-lower-case',
    text: 'the other side writes escapes in lower case (%3d); they must be in upper case (%3D)',
    variants: () => [...by(smallEscapes), { encodePart: smallEscapes }],
  },
  {
    mistake: 'latin-1',
    text: 'the other side turns text into bytes as Latin-1; it must be UTF-8',
    variants: () => by(latin1),
  },
  {
    mistake: 'not-sorted',
    text: 'the other side does not sort the parameters',
    variants: request => {
      const orders = ordersOf(request)
      const sorted = orders.map(groups => groups.map(group => [...group].sort(byNameThenValue)))
      return [...orders, ...sorted].map(groups => ({ parameters: groups.flat(), compare: undefined }))
    },
  },
  {
    mistake: 'sorted-before-encoding',
    text: 'the other side sorts before it encodes; sort by encoded name, then by encoded value',
    variants: request =>
      [byNameThenValue, byBytes].map(compare => ({
        parameters: [...request.covered].sort(compare),
        compare: undefined,
      })),
  },
  {
    mistake: 'sorted-by-name-only',
    text: 'the other side sorts repeated names by their place; they are sorted by encoded value',
    variants: ({ query, body, protocol }) =>
      [
        [query, body, protocol],
        [body, query, protocol],
        [protocol, body, query],
      ].map(groups => ({ parameters: groups.flat(), compare: ([a], [b]) => compareText(a, b) })),
  },
  {
    mistake: 'sorted-as-joined',
    text: 'the other side sorts "name=value" as one text; sort by name first, then by value',
    variants: () => [{ compare: (a, b) => compareText(a.join('='), b.join('=')) }],
  },
  {
    mistake: 'sorted-by-letter',
    text: 'the other side sorts without regard to letter case, or as a dictionary does; sort by bytes',
    variants: () => [
      { compare: (a, b) => byNameThenValue([a[0].toLowerCase(), a[1]], [b[0].toLowerCase(), b[1]]) },
      { compare: (a, b) => a[0].localeCompare(b[0], 'en') || a[1].localeCompare(b[1], 'en') },
    ],
  },
]

/** A name that holds nothing of a value. */
const isProtocol = (name: string): boolean => /^oauth_[a-z_]{1,30}$/.test(name)

/** Names of parameters of the header whose values are not the same once they are encoded. */
const encodable = (protocol: readonly Parameter[]): readonly string[] =>
  protocol.filter(([name, value]) => isProtocol(name) && value !== percentEncode(value)).map(([name]) => name)

const protocolAsIs = ([name, value]: Parameter): string =>
  `${name}=${isProtocol(name) ? decodeURIComponent(value) : value}`

/**
 * Finds values that a header has as they are. This package reads them all the same; a server that reads them as a form takes
 * "+" for a space. @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 4 and 5
 */
export function unencodedInHeader(authorization: string): FoundSignatureMistake | undefined {
  const written = [...authorization.matchAll(/(?<=[\s,])([^\s=",]+)="([^"]*)"/g)]
  const names = written.flatMap(([, name = '', value = '']) => (isProtocol(name) && !isEncoded(value) ? [name] : []))
  if (names.length === 0) return undefined
  const text = `${names.join(', ')}: the value stands in the header as it is; it must be percent-encoded, or a server may read another one`
  return { mistake: 'header-encoding', text }
}

const isEncoded = (written: string): boolean =>
  percentEncode(decodeURIComponent(written)) === written.replace(/%../g, code => code.toUpperCase())

/** Undoes one encoding of the joined parameters. Method and address stay encoded. */
function decodeJoined(baseString: string): string {
  const [method = '', address = '', ...rest] = baseString.split('&')
  return [method, address, decodeURIComponent(rest.join('&'))].join('&')
}

/** The wrong encoding for names and values only, and for the three parts as well. */
const by = (wrong: Encode): BaseStringVariant[] => [{ encode: wrong }, { encode: wrong, encodePart: wrong }]

/** The parameters in every order of where they come from. */
const ordersOf = ({ query, body, protocol }: SignedRequest) => [
  [query, body, protocol],
  [query, protocol, body],
  [body, query, protocol],
  [body, protocol, query],
  [protocol, query, body],
  [protocol, body, query],
]

/** Not the same as by UTF-16 units: beyond the BMP these go backwards. */
const byBytes = (a: Parameter, b: Parameter): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))

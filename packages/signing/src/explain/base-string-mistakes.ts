/** Common mistakes in a base string, RFC 5849 section 3.4.1, each tried once. To add one, add a row. */
import { baseStringUri, type Parameter, percentEncode } from '../index.js'
import type { Mistake } from './lines.js'

/** The pieces of a signed request. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly query: readonly Parameter[]
  readonly body: readonly Parameter[]
  /** Of the header, without `oauth_signature`. */
  readonly protocol: readonly Parameter[]
  readonly signature: string
  readonly realm: string
}

/** What is done differently from RFC 5849 section 3.4.1. Default of each: as the RFC says. */
interface Way {
  readonly method?: string
  readonly address?: string
  readonly parameters?: readonly Parameter[]
  /** Encodes a name, or the value of a parameter of that name. */
  readonly encode?: (text: string, name: string) => string
  /** Encodes each of the three parts. */
  readonly encodePart?: (text: string) => string
  /** Orders the encoded pairs. */
  readonly compare?: (a: Parameter, b: Parameter) => number
  /** Changes the base string after it is made. */
  readonly change?: (baseString: string) => string
}

interface Row {
  readonly mistake: string
  /** What the other side does, for people. Names of parameters, never values: they may be card data. */
  readonly text: string
  readonly fix: string
  readonly ways: (request: SignedRequest) => readonly Way[]
}

const allOf = ({ query, body, protocol }: SignedRequest): Parameter[] => [...query, ...body, ...protocol]
const asIs = (text: string): string => text
const plus = (text: string): string => percentEncode(text).replaceAll('%20', '+')
const form = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
const tilde = (text: string): string => percentEncode(text).replaceAll('~', '%7E')
const small = (text: string): string => percentEncode(text).replace(/%../g, code => code.toLowerCase())
const twice = (text: string): string => percentEncode(percentEncode(text))
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byNameThenValue = (a: Parameter, b: Parameter): number => compareText(a[0], b[0]) || compareText(a[1], b[1])
const unsorted = () => 0

/** The wrong encoding for names and values only, and for the three parts as well. */
const encodedBy = (wrong: (text: string) => string): Way[] => [{ encode: wrong }, { encode: wrong, encodePart: wrong }]

const isProtocol = (name: string): boolean => /^oauth_[a-z_]{1,30}$/.test(name)

const addressed = (url: URL, hosts: readonly string[], path = url.pathname): Way[] =>
  hosts.map(host => ({ address: `${url.protocol}//${host}${path}` }))

/** Every mistake that is tried, likelier ones first. */
export const baseStringMistakes: readonly Row[] = [
  {
    mistake: 'line-break-after',
    text: 'the other side has a line break after the base string; was it read from a file?',
    fix: 'Cut the line break off the base string: printf in place of echo.',
    ways: () => ['\n', '\r\n'].map(end => ({ change: text => text + end })),
  },
  {
    mistake: 'plus-for-space',
    text: 'the other side encodes a space as "+"; it must be %20, so %2520 in the base string',
    fix: 'Encode with RFC 3986: a space is %20, never "+". percentEncode does.',
    ways: () => [plus, form].flatMap(encodedBy),
  },
  {
    mistake: 'encode-uri-component',
    text: "the other side leaves ! ' ( ) * alone, as encodeURIComponent does; they must be encoded",
    fix: "Encode ! ' ( ) * as well, after encodeURIComponent. percentEncode does.",
    ways: () => encodedBy(encodeURIComponent),
  },
  {
    mistake: 'single-encoding',
    text: 'the other side encodes once, or oauth_* values not at all; names and values are encoded, and the joined text once more',
    fix: 'Encode names and values, join them with = and &, and encode the joined text once more.',
    ways: () => [
      { encode: asIs },
      { encodePart: asIs },
      { encode: encodeURIComponent, encodePart: asIs },
      { encode: asIs, encodePart: asIs },
      { change: decodeParameters },
      { change: text => decodeParameters(decodeParameters(text)) },
      { encode: (text, name) => (isProtocol(name) ? text : percentEncode(text)) },
    ],
  },
  {
    mistake: 'triple-encoding',
    text: 'the other side encodes names and values twice before it joins them, or the joined text twice; once is right',
    fix: 'Encode names and values once before they are joined; sign what is decoded, not what is in the body.',
    ways: () => [{ encode: twice }, { change: encodeParameters }, { change: percentEncode }],
  },
  {
    mistake: 'query-left-out',
    text: 'the other side does not cover the query; its parameters are covered like the form',
    fix: 'Cover the parameters of the query like those of the form.',
    ways: ({ body, protocol }) => [{ parameters: [...body, ...protocol] }],
  },
  {
    mistake: 'method',
    text: 'method: the other side covers another one, or has it in lower case',
    fix: 'Sign the method that is sent, in upper case.',
    ways: ({ method }) => [method.toLowerCase(), 'POST', 'GET', 'PUT'].map(other => ({ method: other })),
  },
  {
    mistake: 'scheme',
    text: 'address: the other side has http where this one has https, or the reverse; look for a proxy that ends TLS',
    fix: 'Sign the address that the request is sent to; behind a proxy, let the other side know its public address.',
    ways: ({ url }) =>
      [url.host, `${url.hostname}:443`].map(host => ({
        address: `${url.protocol === 'https:' ? 'http' : 'https'}://${host}${url.pathname}`,
      })),
  },
  {
    mistake: 'port',
    text: 'address: the other side kept the default port, or left out another one; only a default port is left out',
    fix: 'Leave :443 out of an https address, and :80 out of an http address, before signing; sign any other port.',
    ways: ({ url }) =>
      addressed(url, [url.port ? url.hostname : `${url.host}:${url.protocol === 'https:' ? 443 : 80}`]),
  },
  {
    mistake: 'host-in-capitals',
    text: 'address: the other side has capitals in the host; it must be in lower case',
    fix: 'Put the host in lower case before signing.',
    ways: ({ url }) =>
      addressed(url, [url.host.toUpperCase(), url.host.replace(/^[a-z]/, letter => letter.toUpperCase())]),
  },
  {
    mistake: 'trailing-slash',
    text: 'address: the two sides differ in a slash at the end of the path',
    fix: 'Sign the very path that is sent, with or without a slash at its end.',
    ways: ({ url }) =>
      addressed(url, [url.host], url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`),
  },
  {
    mistake: 'path-prefix',
    text: 'address: the other side left out the beginning of the path; a path prefix is covered',
    fix: 'Sign the whole path, from the first slash after the host.',
    ways: ({ url }) => {
      const segments = url.pathname.split('/').slice(1, 9)
      return segments.slice(1).flatMap((_, at) => addressed(url, [url.host], `/${segments.slice(at + 1).join('/')}`))
    },
  },
  {
    mistake: 'query-in-address',
    text: 'address: the other side kept the query in it; the query is covered among the parameters',
    fix: 'Cut the address at "?", and sign the parameters of the query with those of the form.',
    ways: ({ url, body, protocol }) => {
      const address = baseStringUri(url) + url.search
      return [{ address }, { address, parameters: [...body, ...protocol] }]
    },
  },
  {
    mistake: 'tilde-encoded',
    text: 'the other side encodes "~"; it must stay as it is (RFC 3986, not RFC 2396)',
    fix: 'Leave "~" as it is.',
    ways: () => encodedBy(tilde),
  },
  {
    mistake: 'escapes-in-lower-case',
    text: 'the other side writes escapes in lower case (%3d); they must be in upper case (%3D)',
    fix: 'Write escapes in upper case: %3D, not %3d.',
    ways: () => [...encodedBy(small), { encodePart: small }],
  },
  {
    mistake: 'not-sorted',
    text: 'the other side does not sort the parameters, or sorts them in another way; sort by encoded name, then by encoded value',
    fix: 'Encode the parameters, then sort them by the bytes of the name, and those of one name by value, before joining them.',
    ways: request => {
      const { query, body, protocol } = request
      const orders = [
        [query, body, protocol],
        [body, query, protocol],
        [protocol, query, body],
        [protocol, body, query],
      ]
      return [
        ...orders.flatMap(groups => [
          { parameters: groups.flat(), compare: unsorted },
          { parameters: groups.flat(), compare: (a: Parameter, b: Parameter) => compareText(a[0], b[0]) },
          { parameters: groups.flatMap(group => [...group].sort(byNameThenValue)), compare: unsorted },
        ]),
        { parameters: allOf(request).sort(byNameThenValue), compare: unsorted },
        { compare: (a, b) => compareText(a.join('='), b.join('=')) },
        { compare: (a, b) => a[0].localeCompare(b[0], 'en') || a[1].localeCompare(b[1], 'en') },
      ]
    },
  },
  {
    mistake: 'form-left-out',
    text: 'the other side does not cover the form body; is its Content-Type right?',
    fix: 'Cover the parameters of the form, and send it as application/x-www-form-urlencoded.',
    ways: ({ query, protocol }) => [{ parameters: [...query, ...protocol] }],
  },
  {
    mistake: 'protocol-left-out',
    text: 'the other side does not cover the oauth_* parameters of the header, or not as they are sent',
    fix: 'Cover every oauth_* parameter of the header except oauth_signature, and none that is not sent.',
    ways: request => [
      { parameters: [...request.query, ...request.body] },
      { parameters: allOf(request).filter(([name]) => name !== 'oauth_version') },
      { parameters: [...allOf(request), ['oauth_version', '1.0']] },
      { parameters: [...allOf(request), ['oauth_token', '']] },
    ],
  },
  {
    mistake: 'signature-covered',
    text: 'the other side covers the signature itself, or the realm; both must be left out',
    fix: 'Leave oauth_signature and realm out of what is signed.',
    ways: request =>
      [
        ['oauth_signature', request.signature],
        ['oauth_signature', ''],
        ['realm', request.realm],
      ].map(([name = '', value = '']) => ({ parameters: [...allOf(request), [name, value]] })),
  },
  {
    mistake: 'empty-values-left-out',
    text: 'the other side leaves out parameters with an empty value; they are covered as "name="',
    fix: 'Cover a parameter without a value as "name=".',
    ways: request => [{ parameters: allOf(request).filter(([, value]) => value !== '') }],
  },
]

/** Longest base string whose mistakes are tried, in characters. */
export const longestTried = 16_384

/** Most parameters that are left out, one at a time. */
const mostLeftOut = 100

/** Finds the mistake whose base string is the other side's, unless ours is too long. @returns It with that base string. */
export function findBaseStringMistake(
  request: SignedRequest,
  isTheirs: (baseString: string) => boolean,
): (Mistake & { readonly theirs: string }) | undefined {
  if (baseStringBy({}, request).length > longestTried) return undefined
  for (const { mistake, text, fix, ways } of baseStringMistakes) {
    for (const way of ways(request)) {
      const theirs = baseStringBy(way, request)
      if (isTheirs(theirs)) return { mistake, text, fix, theirs }
    }
  }
  const all = allOf(request)
  for (const [place, [item]] of all.entries()) {
    if (place >= mostLeftOut) return undefined
    const theirs = baseStringBy({ parameters: all.toSpliced(place, 1) }, request)
    const text = `${item}: the other side does not cover it`
    const fix = 'Cover every parameter that is sent, or do not send it.'
    if (isTheirs(theirs)) return { mistake: 'parameter-left-out', item, text, fix, theirs }
  }
  return undefined
}

function baseStringBy(way: Way, request: SignedRequest): string {
  const { encode = percentEncode, encodePart = percentEncode, compare = byNameThenValue, change = asIs } = way
  const { method = request.method, address = baseStringUri(request.url), parameters = allOf(request) } = way
  const pairs = parameters.map(([name, value]): Parameter => [encode(name, ''), encode(value, name)]).sort(compare)
  return change([method, address, pairs.map(pair => pair.join('=')).join('&')].map(encodePart).join('&'))
}

function decodeParameters(baseString: string): string {
  const [method, address, ...rest] = baseString.split('&')
  return [method, address, decodeURIComponent(rest.join('&'))].join('&')
}

function encodeParameters(baseString: string): string {
  const [method, address, parameters = ''] = baseString.split('&')
  return [method, address, percentEncode(parameters)].join('&')
}

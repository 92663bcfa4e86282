/** Requests made at random from a seed, the same ones each time: every kind of text that has ever broken a signature. */
import type { RequestParts } from './naive-builder.js'

/** A request in parts and as an address somebody might write. */
export interface RandomRequest extends RequestParts {
  readonly address: string
}

const methods = ['POST', 'POST', 'POST', 'GET', 'get', 'PUT', 'Patch', 'DELETE', 'M-SEARCH', "X!'()*~"]
const hosts = ['gate.example', 'GATE.Example', 'a.b-c.example', '127.0.0.1', '[::1]', '[2001:DB8::1]', 'localhost']
const ports = [undefined, undefined, '80', '443', '8080', '8443', '1']
const paths = [
  '',
  '/',
  '/paynet/api/v2/payout/39',
  '/Paynet/API/v2/',
  '/a%20b/%c3%a9/%2F',
  "/(a)*!'~;x=1,2/:@$+",
  '//double//slash',
]
const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~'
const pieces = [
  ...plain,
  ...' !"#$%&\'()*+,/:;<=>?@[]^`{|}\\',
  ...['%20', '%2B', '%', '&&', '==', '\0', '\t', '\r\n', '\x7f', 'é', 'ß', 'ÿ', 'Ā', 'Ж', '漢', '\u2028', '\uffff'],
  ...['🛒', '𝒳', '👩‍👩‍👧', '\u{10ffff}'],
]
const oddNames = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'realm',
  'oauth',
  'oauthz',
  'oauth.',
  'a',
  'a-',
  'a~',
  'A',
  '0',
  '10',
]

/** Makes requests one after another, for ever. */
export function* randomRequests(seed: number): Generator<RandomRequest> {
  const random = randomNumbers(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const oneOf = <Choice>(choices: readonly Choice[]): Choice => choices[below(choices.length)] as Choice
  const plainText = (): string => Array.from({ length: below(20) }, () => plain[below(plain.length)]).join('')
  const oddText = (): string => Array.from({ length: below(9) }, () => oneOf(pieces)).join('')
  const text = (): string => (below(2) === 0 ? plainText() : oddText())
  const name = (): string => {
    const made = below(4) === 0 ? oneOf(oddNames) : text()
    return made.startsWith('oauth_') ? `x${made}` : made
  }
  const names = (): string[] => {
    const list = Array.from({ length: below(9) }, name)
    // Repeated names, next to each other or not.
    return below(4) === 0 ? [...list, ...list.slice(0, 2), ...list.slice(0, 1)] : list
  }
  // More lists than are remembered, so that plans are found, made and thrown away.
  const knownNames = Array.from({ length: 40 }, names)
  const pairs = (list: readonly string[]) => list.map(each => [each, text()] as const)

  for (;;) {
    const scheme = oneOf(['https', 'http', 'HTTPS', 'Http'])
    const [host, port, path] = [oneOf(hosts), oneOf(ports), oneOf(paths)]
    const query = below(2) === 0 ? [] : pairs(names().slice(0, 3))
    const form = pairs(below(2) === 0 ? oneOf(knownNames) : names())
    const queryText = query.map(pair => pair.map(part => queryPart(part, oneOf(['+', '%20']))).join('='))
    const search = query.length === 0 ? oneOf(['', '?']) : `?${queryText.join('&')}`
    const address = `${scheme}://${host}${port === undefined ? '' : `:${port}`}${path}${search}${oneOf(['', '#top?x=1'])}`
    yield { method: oneOf(methods), scheme, host, port, path, query, form, address }
  }
}

/** Some clients write hexadecimal digits in lower case and leave `!'()*` alone; it must not matter. */
const queryPart = (text: string, space: string): string =>
  encodeURIComponent(text).replaceAll('%20', space).replace(/%C3/g, '%c3')

/** The generator "mulberry32": small, and good enough to choose test cases. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The classic mistakes, made by a slow and obvious builder of base strings. It uses nothing of src. */

export type Pair = readonly [name: string, value: string]

export interface NaiveRequest {
  readonly method: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly body: readonly Pair[]
  readonly protocol: readonly Pair[]
  readonly realm: string
  /** Whether a space in the query is sent as `+`. Default: as `%20`. */
  readonly plusInQuery?: boolean
}

type Encode = (text: string) => string

export const strict: Encode = text =>
  [...Buffer.from(text)]
    .map(byte => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

interface Choices {
  readonly method?: string
  readonly address?: string
  readonly pairs?: readonly Pair[]
  readonly inner?: Encode
  readonly outer?: Encode
  readonly sorted?: boolean
  readonly compare?: (a: Pair, b: Pair) => number
}

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byNameThenValue = (a: Pair, b: Pair): number => bytes(a[0], b[0]) || bytes(a[1], b[1])
const sort = (pairs: readonly Pair[], compare = byNameThenValue): Pair[] => [...pairs].sort(compare)
const all = ({ query, body, protocol }: NaiveRequest): Pair[] => [...query, ...body, ...protocol]
const addressOf = ({ scheme, host, path }: NaiveRequest): string => `${scheme}://${host}${path}`

/** The query as it is sent, without `?`. */
export function queryOf({ query, plusInQuery = false }: NaiveRequest): string {
  const text = query.map(pair => pair.map(strict).join('=')).join('&')
  return plusInQuery ? text.replaceAll('%20', '+') : text
}

export function build(request: NaiveRequest, choices: Choices = {}): string {
  const { inner = strict, outer = strict, pairs = all(request), sorted = true } = choices
  const encoded = pairs.map(([name, value]): Pair => [inner(name), inner(value)])
  const joined = (sorted ? sort(encoded, choices.compare) : encoded)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return [choices.method ?? request.method, choices.address ?? addressOf(request), joined].map(outer).join('&')
}

const mapValues = (request: NaiveRequest, change: Encode): Pair[] =>
  all(request).map(([name, value]) => [name, change(value)])

const latin1: Encode = text =>
  [...Buffer.from(text, 'latin1')]
    .map(byte => (byte < 128 ? strict(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`))
    .join('')

const withoutPrefix = (path: string): string => path.replace(/^\/[^/]+(?=\/)/, '')

/** What a request needs for a mistake to show in it. */
export const settings: Readonly<Record<string, (request: NaiveRequest) => NaiveRequest>> = {
  'port-left-out': request => ({ ...request, host: `${request.host}:8443` }),
  'path-encoding': request => ({ ...request, path: `${request.path}%41%20b` }),
  'plus-not-decoded': request => ({ ...request, plusInQuery: true }),
}

/** Each mistake, as other people's code makes it. */
export const mistakes: Readonly<Record<string, (request: NaiveRequest) => string>> = {
  method: request => build(request, { method: request.method.toLowerCase() }),
  'default-port': request => build(request, { address: `https://${request.host}:443${request.path}` }),
  scheme: request => build(request, { address: `http://${request.host}${request.path}` }),
  'port-left-out': request =>
    build(request, { address: `${request.scheme}://${request.host.split(':')[0]}${request.path}` }),
  'scheme-in-capitals': request =>
    build(request, { address: `${request.scheme.toUpperCase()}://${request.host}${request.path}` }),
  'host-in-capitals': request => build(request, { address: `https://${request.host.toUpperCase()}${request.path}` }),
  'trailing-slash': request =>
    build(request, {
      address: request.path.endsWith('/') ? addressOf(request).slice(0, -1) : `${addressOf(request)}/`,
    }),
  'path-prefix': request => build(request, { address: `https://${request.host}${withoutPrefix(request.path)}` }),
  'path-letter-case': request => build(request, { address: addressOf(request).toLowerCase() }),
  'path-end': request => build(request, { address: addressOf(request).replace(/\/[^/]*$/, '') }),
  'path-encoding': request => build(request, { address: decodeURIComponent(addressOf(request)) }),
  'query-in-address': request =>
    build(request, { address: [addressOf(request), queryOf(request)].filter(text => text !== '').join('?') }),
  'query-left-out': request => build(request, { pairs: [...request.body, ...request.protocol] }),
  'form-left-out': request => build(request, { pairs: [...request.query, ...request.protocol] }),
  'protocol-left-out': request => build(request, { pairs: [...request.query, ...request.body] }),
  'form-covered-twice': request =>
    build(request, { pairs: [...request.query, ...request.body, ...request.body, ...request.protocol] }),
  'signature-covered': request => build(request, { pairs: [...all(request), ['oauth_signature', '']] }),
  'plus-not-decoded': request => {
    const kept = request.query.map(([name, value]): Pair => [name.replaceAll(' ', '+'), value.replaceAll(' ', '+')])
    return build(request, {
      pairs: [...(request.plusInQuery ? kept : request.query), ...request.body, ...request.protocol],
    })
  },
  'plus-for-space': request => build(request, { inner: text => strict(text).replaceAll('%20', '+') }),
  'encode-uri-component': request => build(request, { inner: encodeURIComponent, outer: encodeURIComponent }),
  'single-encoding': request => build(request, { inner: text => text }),
  'triple-encoding': request => build(request, { inner: text => strict(strict(text)) }),
  'tilde-encoded': request => build(request, { inner: text => strict(text).replaceAll('~', '%7E') }),
  'escapes-in-lower-case': request =>
    build(request, { inner: text => strict(text).replace(/%../g, code => code.toLowerCase()) }),
  'latin-1': request => build(request, { inner: latin1 }),
  'not-sorted': request => build(request, { sorted: false }),
  'sorted-before-encoding': request => build(request, { pairs: sort(all(request)), sorted: false }),
  'sorted-by-name-only': request => build(request, { compare: (a, b) => bytes(a[0], b[0]) }),
  'sorted-as-joined': request => build(request, { compare: (a, b) => bytes(`${a[0]}=${a[1]}`, `${b[0]}=${b[1]}`) }),
  'sorted-by-letter': request =>
    build(request, { compare: (a, b) => bytes(a[0].toLowerCase(), b[0].toLowerCase()) || bytes(a[1], b[1]) }),
  version: request => build(request, { pairs: all(request).filter(([name]) => name !== 'oauth_version') }),
  'realm-covered': request => build(request, { pairs: [...all(request), ['realm', request.realm]] }),
  'empty-token': request => build(request, { pairs: [...all(request), ['oauth_token', '']] }),
  'empty-values-left-out': request => build(request, { pairs: all(request).filter(([, value]) => value !== '') }),
  'repeated-names-left-out': request => build(request, { pairs: [...new Map(all(request))] }),
  'white-space': request => build(request, { pairs: mapValues(request, value => value.trim()) }),
  'decoded-twice': request => build(request, { pairs: mapValues(request, value => value.replaceAll('+', ' ')) }),
  'parameter-left-out': request => build(request, { pairs: all(request).filter(([name]) => name !== 'amount') }),
  'value-left-empty': request =>
    build(request, { pairs: all(request).map(([name, value]) => [name, name === 'amount' ? '' : value]) }),
  'line-break-after': request => `${build(request)}\n`,
  'encoded-again': request => strict(build(request)),
  'base-64': request => Buffer.from(build(request)).toString('base64'),
}

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
}

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byNameThenValue = (a: Pair, b: Pair): number => bytes(a[0], b[0]) || bytes(a[1], b[1])
const sort = (pairs: readonly Pair[]): Pair[] => [...pairs].sort(byNameThenValue)
const all = ({ query, body, protocol }: NaiveRequest): Pair[] => [...query, ...body, ...protocol]
const addressOf = ({ scheme, host, path }: NaiveRequest): string => `${scheme}://${host}${path}`

/** The query as it is sent, without `?`. */
export const queryOf = ({ query }: NaiveRequest): string => query.map(pair => pair.map(strict).join('=')).join('&')

export function build(request: NaiveRequest, choices: Choices = {}): string {
  const { inner = strict, outer = strict, pairs = all(request), sorted = true } = choices
  const encoded = pairs.map(([name, value]): Pair => [inner(name), inner(value)])
  const joined = (sorted ? sort(encoded) : encoded).map(([name, value]) => `${name}=${value}`).join('&')
  return [choices.method ?? request.method, choices.address ?? addressOf(request), joined].map(outer).join('&')
}

const withoutPrefix = (path: string): string => path.replace(/^\/[^/]+(?=\/)/, '')

/** Each mistake, as other people's code makes it. */
export const mistakes: Readonly<Record<string, (request: NaiveRequest) => string>> = {
  method: request => build(request, { method: request.method.toLowerCase() }),
  port: request => build(request, { address: `https://${request.host}:443${request.path}` }),
  scheme: request => build(request, { address: `http://${request.host}${request.path}` }),
  'host-in-capitals': request => build(request, { address: `https://${request.host.toUpperCase()}${request.path}` }),
  'trailing-slash': request =>
    build(request, {
      address: request.path.endsWith('/') ? addressOf(request).slice(0, -1) : `${addressOf(request)}/`,
    }),
  'path-prefix': request => build(request, { address: `https://${request.host}${withoutPrefix(request.path)}` }),
  'query-in-address': request =>
    build(request, { address: [addressOf(request), queryOf(request)].filter(text => text !== '').join('?') }),
  'query-left-out': request => build(request, { pairs: [...request.body, ...request.protocol] }),
  'form-left-out': request => build(request, { pairs: [...request.query, ...request.protocol] }),
  'protocol-left-out': request => build(request, { pairs: [...request.query, ...request.body] }),
  'signature-covered': request => build(request, { pairs: [...all(request), ['oauth_signature', '']] }),
  'plus-for-space': request => build(request, { inner: text => strict(text).replaceAll('%20', '+') }),
  'encode-uri-component': request => build(request, { inner: encodeURIComponent, outer: encodeURIComponent }),
  'single-encoding': request => build(request, { inner: text => text }),
  'triple-encoding': request => build(request, { inner: text => strict(strict(text)) }),
  'tilde-encoded': request => build(request, { inner: text => strict(text).replaceAll('~', '%7E') }),
  'escapes-in-lower-case': request =>
    build(request, { inner: text => strict(text).replace(/%../g, code => code.toLowerCase()) }),
  'not-sorted': request => build(request, { sorted: false }),
  'empty-values-left-out': request => build(request, { pairs: all(request).filter(([, value]) => value !== '') }),
  'parameter-left-out': request => build(request, { pairs: all(request).filter(([name]) => name !== 'amount') }),
  'line-break-after': request => `${build(request)}\n`,
}

import type { IncomingMessage } from 'node:http'
import { quote } from '@tillkit/protocol'
import { decodeForm, type Parameter } from '@tillkit/signing'
import { BodyConsumedError, type Rejection, refused } from '../config/errors.js'

/** A request as Node.js makes it, with what Express and body parsers add. */
export type NodeRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown }

/**
 * A request of Node.js, as under Express, Connect, Fastify (`request.raw`) and Koa (`context.req`), or one of the Web, as
 * under Hono (`context.req.raw`) and in Next.js.
 */
export type AnyRequest = NodeRequest | Request

/** The parameters of a request, or why they are refused. */
export type ReadParameters = { readonly kind: 'read'; readonly parameters: readonly Parameter[] } | Rejection

/**
 * Reads the query, and of a POST the form body as well. The query is read from the address itself, because the query parser
 * of Express merges what came twice.
 *
 * A body that is read here is left in the `request.body` of Node.js, so that a body parser further on does not look for it
 * in vain.
 *
 * @param options `maxBytes`: of the query, and of the body. `body`: what a body parser made of the form, where it left that
 * elsewhere than in `request.body`.
 * @throws {@link BodyConsumedError} when another middleware has read the body and left nothing of it.
 */
export async function readParameters(
  request: AnyRequest,
  { maxBytes = 65_536, body }: { readonly maxBytes?: number | undefined; readonly body?: unknown },
): Promise<ReadParameters> {
  const view = viewRequest(request)
  const { method, address } = view
  if (method !== 'GET' && method !== 'POST') {
    return refused('method', `The request is ${quote(method)}; GET and POST are taken.`)
  }
  const border = address.indexOf('?')
  const query = border < 0 ? '' : address.slice(border + 1)
  if (query.length > maxBytes) return tooLarge('query', maxBytes)
  const inQuery = readForm(query)
  if (method === 'GET') return read(inQuery)
  const inBody = await bodyParameters(view, { maxBytes, body: body ?? view.parsedBody })
  if (inBody.kind === 'refused') return inBody
  if (inBody.parameters.length + inQuery.length === 0 && view.body === 'consumed') return leftEmpty
  // A sender may put the same form into both.
  const written = (parameter: Parameter) => JSON.stringify(parameter)
  const before = new Set(inQuery.map(written))
  return read([...inQuery, ...inBody.parameters.filter(each => !before.has(written(each)))])
}

/** The same for what a browser brings, on which nothing depends: a consumed body is no reason to fail. */
export async function readWhatIsThere(request: AnyRequest, body?: unknown): Promise<ReadParameters> {
  try {
    return await readParameters(request, { body })
  } catch (error) {
    if (error instanceof BodyConsumedError) return read([])
    throw error
  }
}

async function bodyParameters(
  view: RequestView,
  { maxBytes, body }: { readonly maxBytes: number; readonly body: unknown },
): Promise<ReadParameters> {
  const { contentType: type, contentEncoding: encoding = 'identity' } = view
  if (view.body === 'absent') return read([])
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    if (view.body === 'perhaps' && Buffer.isBuffer(await view.read(0))) return read([])
    return refused('media-type', `The body is ${type === undefined ? 'of no stated type' : quote(type)}, not a form.`)
  }
  if (view.body === 'consumed') return parsedParameters(body, maxBytes)
  if (view.body === 'cut-off') return cutOff
  if (encoding.toLowerCase() !== 'identity') {
    return refused('media-type', `The body is compressed with ${quote(encoding)}; let a body parser inflate it.`)
  }
  const bytes = await view.read(maxBytes)
  if (bytes === 'too-large') return tooLarge('body', maxBytes)
  if (bytes === 'cut-off') return cutOff
  const decoded = readForm(bytes.toString('utf8'))
  view.leave(decoded)
  return read(decoded)
}

/** What a body parser before us made of the form. */
function parsedParameters(body: unknown, maxBytes: number): ReadParameters {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (body.length > maxBytes) return tooLarge('body', maxBytes)
    return read(readForm(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')))
  }
  if (typeof body !== 'object' || body === null) throw new BodyConsumedError()
  // The first two keep what came twice.
  const isIterable = body instanceof URLSearchParams || body instanceof FormData
  const entries: readonly (readonly [string, unknown])[] = isIterable ? [...body] : Object.entries(body)
  const parameters = entries.flatMap(([name, value]) => unparsed(name, value))
  const length = parameters.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return length > maxBytes ? tooLarge('body', maxBytes) : read(parameters)
}

/** The pairs that a body parser made a list or an object of: a list of texts was a name that came more than once. */
function unparsed(name: string, value: unknown): readonly Parameter[] {
  if (typeof value === 'string') return [[name, value]]
  const isRepeated = Array.isArray(value) && value.length > 1 && value.every(each => typeof each === 'string')
  return isRepeated ? value.map((each): Parameter => [name, each]) : [[`${name}[]`, '']]
}

/** Not an error of ours: a sender of nothing but "&" would get another answer than a forger. */
const leftEmpty = refused(
  'missing-parameter',
  'request.body is empty. Either the form was, or something before this middleware consumed the stream and kept it: then ' +
    'put this middleware before it.',
)

/**
 * Decodes a form. What is no escape of UTF-8 is read as every body parser does that follows the URL Standard: a lone "%" stays, and
 * other bytes become U+FFFD. Whether that is a doubt depends on who needs the name.
 */
export function readForm(form: string): readonly Parameter[] {
  try {
    return decodeForm(form)
  } catch {
    return [...new URLSearchParams(form)]
  }
}

const read = (parameters: readonly Parameter[]): ReadParameters => ({ kind: 'read', parameters })

const tooLarge = (what: 'query' | 'body', maxBytes: number): Rejection =>
  refused('too-large', `The ${what} is longer than ${maxBytes} bytes. A gateway sends about one thousand.`)

const cutOff = refused('cut-off', 'The connection ended before the body did.')

type BodyBytes = Buffer | 'too-large' | 'cut-off'

/** What this package looks at. */
interface RequestView {
  readonly method: string
  /** As the sender asked for it: a whole address, or its path and query. */
  readonly address: string
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** `perhaps`: only reading tells. `consumed`: another middleware has begun to read it. `cut-off`: nothing more will come. */
  readonly body: 'absent' | 'perhaps' | 'unread' | 'consumed' | 'cut-off'
  readonly parsedBody: unknown
  /** Reads a body that is not consumed. @param maxBytes Most bytes that are kept; what comes after is left to the server. */
  read(maxBytes: number): Promise<BodyBytes>
  /** Leaves what was read to the next middleware that looks for it. */
  leave(parameters: readonly Parameter[]): void
}

const viewRequest = (request: AnyRequest) => (isWebRequest(request) ? viewOfWeb(request) : viewOfNode(request))

/** Headers of Node.js hold text: a header named `get` is no function. */
export const isWebRequest = (request: AnyRequest): request is Request => typeof request.headers.get === 'function'

export const isOfHttp1 = (request: AnyRequest): boolean => !isWebRequest(request) && request.httpVersionMajor === 1

/** The path without slashes at its end: a proxy or a site may add one to the address of a customer who comes back. */
export function pathOf(request: AnyRequest): string {
  const { address } = viewRequest(request)
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return withoutEndSlash(path.startsWith('/') || !URL.canParse(path) ? path : new URL(path).pathname)
}

export function withoutEndSlash(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The query as it was sent, without its `?`. */
export const queryOf = (request: AnyRequest): string => /\?([^#]*)/.exec(viewRequest(request).address)?.[1] ?? ''

function viewOfNode(request: NodeRequest): RequestView {
  return {
    method: request.method ?? '',
    address: request.originalUrl ?? request.url ?? '',
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    body: bodyOfNode(request),
    parsedBody: request.body,
    read: maxBytes => readBody(request, maxBytes),
    // `_body` is how body parsers of Express 4 tell each other that the stream has been read.
    leave: parameters => void Object.assign(request, { body: Object.fromEntries(parameters), _body: true }),
  }
}

/** HTTP/1 announces a body in its headers. One of HTTP/2 need not be announced. */
function bodyOfNode(request: IncomingMessage): RequestView['body'] {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const isAnnounced = length !== undefined || coding !== undefined
  const mayBeSilent = request.httpVersionMajor > 1
  if (isAnnounced ? coding === undefined && length === '0' : !mayBeSilent) return 'absent'
  if (request.readableDidRead || request.readableEnded) return 'consumed'
  if (request.destroyed) return 'cut-off'
  return isAnnounced ? 'unread' : 'perhaps'
}

export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyBytes> {
  const announced = request.headers['content-length']
  if (announced !== undefined && Number(announced) > maxBytes) return Promise.resolve('too-large')
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = (result: BodyBytes) => {
      request.off('data', onData).off('end', onEnd).off('error', onCutOff).off('close', onCutOff)
      resolve(result)
    }
    // Text where a middleware has called `setEncoding`.
    const onData = (data: Buffer | string) => {
      const chunk = typeof data === 'string' ? Buffer.from(data, request.readableEncoding ?? 'utf8') : data
      length += chunk.length
      if (length > maxBytes) {
        request.pause()
        finish('too-large')
      } else {
        chunks.push(chunk)
      }
    }
    const onEnd = () => finish(Buffer.concat(chunks))
    const onCutOff = () => finish('cut-off')
    request.on('data', onData).on('end', onEnd).on('error', onCutOff).on('close', onCutOff)
  })
}

function viewOfWeb(request: Request): RequestView {
  const { headers } = request
  return {
    method: request.method,
    address: request.url,
    contentType: headers.get('content-type') ?? undefined,
    contentEncoding: headers.get('content-encoding') ?? undefined,
    body: bodyOfWeb(request),
    parsedBody: undefined,
    read: maxBytes => readWebBody(request, maxBytes),
    leave: () => undefined,
  }
}

function bodyOfWeb({ headers, body, bodyUsed }: Request): RequestView['body'] {
  const length = headers.get('content-length')
  if (body === null || length === '0') return 'absent'
  if (bodyUsed || body.locked) return 'consumed'
  return length === null ? 'perhaps' : 'unread'
}

async function readWebBody({ headers, body }: Request, maxBytes: number): Promise<BodyBytes> {
  if (body === null) return Buffer.alloc(0)
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = Number(headers.get('content-length') ?? 0) > maxBytes ? Number.POSITIVE_INFINITY : 0
  try {
    while (length <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      length += value.byteLength
      chunks.push(value)
    }
  } catch {
    return 'cut-off'
  }
  // The answer does not depend on what the server makes of this.
  reader.cancel().catch(() => undefined)
  return 'too-large'
}

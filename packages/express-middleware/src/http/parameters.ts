/**
 * The parameters of a request, every one of them: query and form body, before or after any body parser.
 *
 * The query is read from the address itself, because the query parser of Express merges what came twice.
 *
 * @module
 */
import { quote } from '@tillkit/protocol'
import { decodeForm, type Parameter } from '@tillkit/signing'
import { BodyConsumedError, type Rejection, refused } from '../config/errors.js'
import { type AnyRequest, type RequestView, viewRequest } from './request.js'

/** Parameters in the order they came, query first, or why there are none. */
export type ReadParameters = { readonly kind: 'read'; readonly parameters: readonly Parameter[] } | Rejection

interface ReadParametersOptions {
  /** Most bytes of the query, and of the body. Default: {@link defaultMaxBodyBytes}. */
  readonly maxBytes?: number | undefined
  /** What a body parser made of the form, where it left that elsewhere than in `request.body`. */
  readonly body?: unknown
}

/** Most bytes of a form body, and of a query, that are read. */
const defaultMaxBodyBytes = 65_536

/**
 * Reads the query, and of a POST the form body as well.
 *
 * A body that is read here is left in the `request.body` of Node.js, so that a body parser further on does not look for it
 * in vain.
 *
 * @throws {@link BodyConsumedError} when another middleware has read the body and left nothing of it.
 */
export async function readParameters(
  request: AnyRequest,
  { maxBytes = defaultMaxBodyBytes, body }: ReadParametersOptions,
): Promise<ReadParameters> {
  const view = viewRequest(request)
  const { method, address } = view
  if (method !== 'GET' && method !== 'POST') {
    return refused('method', `The request is ${quote(method)}; GET and POST are taken.`)
  }
  const border = address.indexOf('?')
  const query = border < 0 ? '' : address.slice(border + 1)
  if (query.length > maxBytes) return tooLarge('query', maxBytes)
  const inQuery = decode(query)
  if (inQuery.kind === 'refused' || method === 'GET') return inQuery
  const inBody = await bodyParameters(view, { maxBytes, body: body ?? view.parsed })
  return inBody.kind === 'refused' ? inBody : read([...inQuery.parameters, ...inBody.parameters])
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
  if (view.hasBody === false) return read([])
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    if (view.hasBody === undefined && (await turnsOutEmpty(view))) return read([])
    return refused('media-type', `The body is ${type === undefined ? 'of no stated type' : quote(type)}, not a form.`)
  }
  if (view.isConsumed) return parsedParameters(body, maxBytes)
  if (view.isCutOff) return cutOff
  if (encoding.toLowerCase() !== 'identity') {
    return refused('media-type', `The body is compressed with ${quote(encoding)}; let a body parser inflate it.`)
  }
  const bytes = await view.read(maxBytes)
  if (bytes === 'too-large') return tooLarge('body', maxBytes)
  if (bytes === 'cut-off') return cutOff
  const decoded = decode(bytes.toString('utf8'))
  if (decoded.kind === 'read') view.leave(decoded.parameters)
  return decoded
}

async function turnsOutEmpty(view: RequestView): Promise<boolean> {
  const bytes = view.isConsumed || view.isCutOff ? 'cut-off' : await view.read(0)
  return Buffer.isBuffer(bytes)
}

/** What a body parser before us made of the form. */
function parsedParameters(body: unknown, maxBytes: number): ReadParameters {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (body.length > maxBytes) return tooLarge('body', maxBytes)
    return decode(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
  }
  if (typeof body !== 'object' || body === null) throw new BodyConsumedError()
  const entries = entriesOf(body)
  // Not an error of ours: a sender of nothing but "&" would get another answer than a forger.
  if (entries.length === 0) return refused('missing-parameter', emptyBody)
  const parameters: Parameter[] = []
  let length = 0
  for (const [name, value] of entries) {
    if (Array.isArray(value)) {
      return refused('repeated-parameter', `The body carries ${quote(name)} more than once, or as a list.`)
    }
    if (typeof value !== 'string') {
      return refused('nested-parameter', `The body carries ${quote(name)} as ${typeof value}, not as text.`)
    }
    length += name.length + value.length
    if (length > maxBytes) return tooLarge('body', maxBytes)
    parameters.push([name, value])
  }
  return read(parameters)
}

const emptyBody =
  'request.body is empty. Either the form was, or something before this middleware consumed the stream and kept it: then ' +
  'put this middleware before it.'

/** `URLSearchParams` and `FormData` keep what came twice. */
function entriesOf(body: object): readonly (readonly [string, unknown])[] {
  return body instanceof URLSearchParams || body instanceof FormData ? [...body] : Object.entries(body)
}

function decode(text: string): ReadParameters {
  try {
    return read(decodeForm(text))
  } catch (error) {
    return refused('undecodable', error instanceof Error ? error.message : 'The form cannot be decoded.')
  }
}

const read = (parameters: readonly Parameter[]): ReadParameters => ({ kind: 'read', parameters })

const tooLarge = (what: 'query' | 'body', maxBytes: number): Rejection =>
  refused('too-large', `The ${what} is longer than ${maxBytes} bytes. A gateway sends about one thousand.`)

const cutOff = refused('cut-off', 'The connection ended before the body did.')

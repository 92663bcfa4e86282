/**
 * The parameters of a request, every one of them: query and form body, before or after any body parser.
 *
 * The query is read from the address itself, because Express' query parser merges what came twice.
 *
 * @module
 */
import { decodeForm, type Parameter } from '@tillkit/signing'
import { BodyConsumedError, quote, type Rejection } from '../config/errors.js'
import { defaultMaxBodyBytes } from '../config/time.js'
import { type AnyRequest, type RequestView, viewRequest } from './request.js'

/** Parameters in the order they came, query first, or why they cannot be had. */
export type ReadParameters =
  | { readonly read: true; readonly parameters: readonly Parameter[] }
  | ({ readonly read: false } & Rejection)

/** How parameters are read. */
export interface ReadParametersOptions {
  /** Most bytes of the query, and of the body. */
  readonly maxBytes: number
  /** What a body parser made of the form, where it left that elsewhere than in `request.body`. */
  readonly body?: unknown
}

/**
 * Reads the query, and of a POST the form body as well.
 *
 * A body that is read here is left in the `request.body` of Node.js, so that a body parser further on does not look for it
 * in vain.
 *
 * @throws {@link BodyConsumedError} when the body was read by somebody who left nothing of it.
 */
export async function readParameters(
  request: AnyRequest,
  { maxBytes, body }: ReadParametersOptions,
): Promise<ReadParameters> {
  const view = viewRequest(request)
  const { method, address } = view
  if (method !== 'GET' && method !== 'POST') {
    return refuse('method', `The request is ${quote(method)}; GET and POST are taken.`)
  }
  const border = address.indexOf('?')
  const query = border < 0 ? '' : address.slice(border + 1)
  if (query.length > maxBytes) return tooLarge('query', maxBytes)
  const inQuery = decode(query)
  if (!inQuery.read || method === 'GET') return inQuery
  const inBody = await bodyParameters(view, { maxBytes, body: body ?? view.parsed })
  return inBody.read ? { read: true, parameters: [...inQuery.parameters, ...inBody.parameters] } : inBody
}

/** The same where nothing depends on what a browser brings: a body that somebody else consumed is no reason to fail. */
export async function readWhatIsThere(request: AnyRequest, body?: unknown): Promise<ReadParameters> {
  try {
    return await readParameters(request, { maxBytes: defaultMaxBodyBytes, body })
  } catch (error) {
    if (error instanceof BodyConsumedError) return { read: true, parameters: [] }
    throw error
  }
}

async function bodyParameters(
  view: RequestView,
  { maxBytes, body }: { readonly maxBytes: number; readonly body: unknown },
): Promise<ReadParameters> {
  const { contentType: type, contentEncoding: encoding = 'identity' } = view
  if (view.hasBody === false) return nothing
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    if (view.hasBody === undefined && (await turnsOutEmpty(view))) return nothing
    return refuse('media-type', `The body is ${quote(type ?? 'of no stated type')}, not a form.`)
  }
  if (view.isConsumed) return parsedParameters(body, maxBytes)
  if (view.isCutOff) return cutOff
  if (encoding.toLowerCase() !== 'identity') {
    return refuse('media-type', `The body is compressed with ${quote(encoding)}; let a body parser inflate it.`)
  }
  const bytes = await view.read(maxBytes)
  if (bytes === 'too-large') return tooLarge('body', maxBytes)
  if (bytes === 'cut-off') return cutOff
  const decoded = decode(bytes.toString('utf8'))
  if (decoded.read) view.leave(decoded.parameters)
  return decoded
}

const nothing: ReadParameters = { read: true, parameters: [] }

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
  // Not an error of ours: whoever sends nothing but "&" would get another answer than a forger.
  if (entries.length === 0) return refuse('missing-parameter', emptyBody)
  const parameters: Parameter[] = []
  let length = 0
  for (const [name, value] of entries) {
    if (Array.isArray(value)) {
      return refuse('repeated-parameter', `The body carries ${quote(name)} more than once, or as a list.`)
    }
    if (typeof value !== 'string') {
      return refuse('nested-parameter', `The body carries ${quote(name)} as ${typeof value}, not as text.`)
    }
    length += name.length + value.length
    if (length > maxBytes) return tooLarge('body', maxBytes)
    parameters.push([name, value])
  }
  return { read: true, parameters }
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
    return { read: true, parameters: decodeForm(text) }
  } catch (error) {
    return refuse('undecodable', error instanceof Error ? error.message : 'The form cannot be decoded.')
  }
}

const tooLarge = (what: 'query' | 'body', maxBytes: number): ReadParameters =>
  refuse('too-large', `The ${what} is longer than ${maxBytes} bytes. A gateway sends about one thousand.`)

const refuse = (reason: Rejection['reason'], explanation: string): ReadParameters => ({
  read: false,
  reason,
  explanation,
})

const cutOff = refuse('cut-off', 'The connection ended before the body did.')

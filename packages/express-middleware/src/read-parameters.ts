/**
 * The parameters of a request, every one of them: query and form body, before or after any body parser.
 *
 * The query is read from the address itself, because Express' query parser merges what came twice.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import { decodeForm, type Parameter } from '@tillkit/signing'
import { defaultMaxBodyBytes } from './defaults.js'
import { BodyConsumedError } from './errors.js'
import { readBody } from './read-body.js'
import { quote, type Rejection } from './rejection.js'

/** A request as Node.js makes it, with what Express and body parsers add. */
export type ParameterRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown }

/** Parameters in the order they came, query first, or why they cannot be had. */
export type ReadParameters =
  | { readonly read: true; readonly parameters: readonly Parameter[] }
  | ({ readonly read: false } & Rejection)

/**
 * Reads the query, and of a POST the form body as well.
 *
 * A body that is read here is left in `request.body`, so that a body parser further on does not look for it in vain.
 *
 * @param maxBytes Most bytes of the query, and of the body.
 * @throws {@link BodyConsumedError} when the stream was read by somebody who left nothing in `request.body`.
 */
export async function readParameters(
  request: ParameterRequest,
  { maxBytes }: { readonly maxBytes: number },
): Promise<ReadParameters> {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    return refuse('method', `The request is ${quote(method ?? '')}; GET and POST are taken.`)
  }
  const address = request.originalUrl ?? request.url ?? ''
  const border = address.indexOf('?')
  const query = border < 0 ? '' : address.slice(border + 1)
  if (query.length > maxBytes) return tooLarge('query', maxBytes)
  const inQuery = decode(query)
  if (!inQuery.read || method === 'GET') return inQuery
  const inBody = await bodyParameters(request, maxBytes)
  return inBody.read ? { read: true, parameters: [...inQuery.parameters, ...inBody.parameters] } : inBody
}

/** The same where nothing depends on what a browser brings: a body that somebody else consumed is no reason to fail. */
export async function readWhatIsThere(request: ParameterRequest): Promise<ReadParameters> {
  try {
    return await readParameters(request, { maxBytes: defaultMaxBodyBytes })
  } catch (error) {
    if (error instanceof BodyConsumedError) return { read: true, parameters: [] }
    throw error
  }
}

async function bodyParameters(request: ParameterRequest, maxBytes: number): Promise<ReadParameters> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
  if (!hasBody(request)) return { read: true, parameters: [] }
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    return refuse('media-type', `The body is ${quote(type ?? 'of no stated type')}, not a form.`)
  }
  if (request.readableDidRead || request.readableEnded) return parsedParameters(request, maxBytes)
  if (request.destroyed) return cutOff
  if (encoding.toLowerCase() !== 'identity') {
    return refuse('media-type', `The body is compressed with ${quote(encoding)}; let express.urlencoded() inflate it.`)
  }
  const bytes = await readBody(request, maxBytes)
  if (bytes === 'too-large') return tooLarge('body', maxBytes)
  if (bytes === 'cut-off') return cutOff
  const decoded = decode(bytes.toString('utf8'))
  if (decoded.read) leaveForBodyParsers(request, decoded.parameters)
  return decoded
}

/** Chunked bodies announce no length. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** What a body parser before us made of the form. */
function parsedParameters({ body }: ParameterRequest, maxBytes: number): ReadParameters {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return body.length > maxBytes ? tooLarge('body', maxBytes) : decode(body.toString())
  }
  if (typeof body !== 'object' || body === null) throw new BodyConsumedError()
  const entries = Object.entries(body)
  // Not an error of ours: whoever sends nothing but "&" would get another answer than a forger.
  if (entries.length === 0) return refuse('missing-parameter', emptyBody)
  const parameters: Parameter[] = []
  for (const [name, value] of entries) {
    if (Array.isArray(value)) {
      return refuse('repeated-parameter', `The body carries ${quote(name)} more than once, or as a list.`)
    }
    if (typeof value !== 'string') {
      return refuse('nested-parameter', `The body carries ${quote(name)} as ${typeof value}, not as text.`)
    }
    parameters.push([name, value])
  }
  return { read: true, parameters }
}

const emptyBody =
  'request.body is empty. Either the form was, or something before this middleware consumed the stream and kept it: then ' +
  'put this middleware before it.'

/** `_body` is how body parsers of Express 4 tell each other that the stream has been read. */
function leaveForBodyParsers(request: ParameterRequest, parameters: readonly Parameter[]): void {
  Object.assign(request, { body: Object.fromEntries(parameters), _body: true })
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

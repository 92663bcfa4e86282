import type { IncomingMessage } from 'node:http'
import type { Parameter } from '@tillkit/signing'

/** A request as Node.js makes it, with what Express and body parsers add. */
export type NodeRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown }

/**
 * A request of Node.js, as under Express, Connect, Fastify (`request.raw`) and Koa (`context.req`), or one of the Web, as
 * under Hono (`context.req.raw`) and in Next.js.
 */
export type AnyRequest = NodeRequest | Request

type BodyBytes = Buffer | 'too-large' | 'cut-off'

/** What this package looks at. */
export interface RequestView {
  readonly method: string
  /** As the sender asked for it: a whole address, or its path and query. */
  readonly address: string
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** Whether there is a body, read or not; undefined where only reading tells. */
  readonly hasBody: boolean | undefined
  /** Whether another middleware has begun to read it. */
  readonly isConsumed: boolean
  /** Whether nothing more will come. */
  readonly isCutOff: boolean
  /** What a body parser has left. */
  readonly parsed: unknown
  /** Reads a body that is not consumed. @param maxBytes Most bytes that are kept; what comes after is left to the server. */
  read(maxBytes: number): Promise<BodyBytes>
  /** Leaves what was read to the next middleware that looks for it. */
  leave(parameters: readonly Parameter[]): void
}

/** Looks at a request. */
export const viewRequest = (request: AnyRequest): RequestView =>
  isWebRequest(request) ? viewOfWeb(request) : viewOfNode(request)

/** Headers of Node.js hold text: a header named `get` is no function. */
const isWebRequest = (request: AnyRequest): request is Request => typeof request.headers.get === 'function'

/** Whether Node.js read it, as HTTP/1. */
export const isOfHttp1 = (request: AnyRequest): boolean => !isWebRequest(request) && request.httpVersionMajor === 1

/** The path of the address, without its query. */
export function pathOf(request: AnyRequest): string {
  const { address } = viewRequest(request)
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return path.startsWith('/') || !URL.canParse(path) ? path : new URL(path).pathname
}

function viewOfNode(request: NodeRequest): RequestView {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers
  return {
    method: request.method ?? '',
    address: request.originalUrl ?? request.url ?? '',
    contentType,
    contentEncoding,
    hasBody: announcesBody(request),
    isConsumed: request.readableDidRead || request.readableEnded,
    isCutOff: request.destroyed,
    parsed: request.body,
    read: maxBytes => readBody(request, maxBytes),
    // `_body` is how body parsers of Express 4 tell each other that the stream has been read.
    leave: parameters => void Object.assign(request, { body: Object.fromEntries(parameters), _body: true }),
  }
}

/** HTTP/1 says so in its headers. A body of HTTP/2 need not be announced. */
function announcesBody({ headers, httpVersionMajor }: IncomingMessage): boolean | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (length === undefined && coding === undefined) return httpVersionMajor > 1 ? undefined : false
  return coding !== undefined || length !== '0'
}

/** Reads a body that no other middleware has touched. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyBytes> {
  const announced = request.headers['content-length']
  if (announced !== undefined && BigInt(announced) > BigInt(maxBytes)) return Promise.resolve('too-large')
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
  const { headers, body } = request
  const length = headers.get('content-length')
  return {
    method: request.method,
    address: request.url,
    contentType: headers.get('content-type') ?? undefined,
    contentEncoding: headers.get('content-encoding') ?? undefined,
    hasBody: body !== null && (length === null ? undefined : length !== '0'),
    isConsumed: request.bodyUsed || body?.locked === true,
    isCutOff: false,
    parsed: undefined,
    read: maxBytes => readWebBody(request, maxBytes),
    leave: () => undefined,
  }
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

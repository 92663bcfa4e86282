/**
 * One try at sending a request: what was observed, and nothing concluded.
 *
 * @module
 */
import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.js'
import { forOldDispatchers } from './old-style-handler.js'
import type { RequestDispatcher } from './options.js'
import { tellSoon } from './tell-soon.js'

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Headers of an answer, names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

/** How far a try got: `waiting` for a connection, `sending` once the request has started, `receiving` an answer. */
export type Phase = 'waiting' | 'sending' | 'receiving'

/** An answer as bytes. */
export interface RawAnswer {
  readonly httpStatus: number
  readonly headers: ReplyHeaders
  readonly body: Buffer
  /** Whether the body was longer than the limit; then `body` is its beginning. */
  readonly isTooLong: boolean
}

/** What came of one try. `closed`: there was none, for the client was closed. */
export type Transmission =
  | { readonly kind: 'closed' }
  | { readonly kind: 'answered'; readonly answer: RawAnswer; readonly isConnectionClosed: boolean }
  | {
      readonly kind: 'failed'
      readonly phase: Phase
      readonly cause: unknown
      /** What had come of an answer, if one had begun. */
      readonly begun?: RawAnswer | undefined
      /** Whether its connection, if it had one, is known to be closed. */
      readonly isConnectionClosed: boolean
    }

/** One try. */
export interface TransmitInput {
  readonly request: WireRequest
  readonly dispatcher: RequestDispatcher
  readonly maxReplyBytes: number
  readonly deadline: Deadline
  /** Asks for the connection to be closed after the answer. */
  readonly reset?: boolean | undefined
  /** Whether the dispatcher is ours, and so known to close the connection of a request that fails or is stopped. */
  readonly isOwn: boolean
}

/** Part of a dispatch controller that is used. */
type Abortable = Pick<Dispatcher.DispatchController, 'abort'>

/**
 * Sends a request once. Never rejects.
 *
 * The phase comes from the dispatcher's own reports, never from error codes: a request is `waiting` only as long as the
 * dispatcher has not said that it starts. A start that comes after the try is over, or a second one, is aborted before
 * undici writes a byte of it.
 */
export function transmit(input: TransmitInput): Promise<Transmission> {
  const { request, dispatcher, maxReplyBytes, deadline, reset = false, isOwn } = input
  return new Promise(resolve => {
    let phase: Phase = 'waiting'
    let isOver = false
    let controller: Abortable | undefined
    let head: { readonly httpStatus: number; readonly headers: ReplyHeaders } | undefined
    const chunks: Buffer[] = []
    let size = 0

    const end = (transmission: Transmission) => {
      if (isOver) return
      isOver = true
      deadline.removeListener(onOver)
      tellSoon(() => resolve(transmission))
    }
    const read = (isTooLong: boolean): RawAnswer | undefined => {
      if (head === undefined) return undefined
      const { httpStatus, headers } = head
      const [only] = chunks
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
      return { httpStatus, headers, body, isTooLong }
    }
    const fail = (cause: unknown) =>
      end({ kind: 'failed', phase, cause, begun: read(false), isConnectionClosed: isOwn })
    const onOver = () => {
      const why = deadline.reason()
      const reason = why instanceof Error ? why : new Error('the call was aborted')
      fail(why ?? reason)
      controller?.abort(reason)
    }
    const answer = (isTooLong: boolean) => {
      const whole = read(isTooLong)
      if (whole === undefined) return fail(new Error('the answer ended before it began'))
      end({ kind: 'answered', answer: whole, isConnectionClosed: isOwn && isTooLong })
    }

    const handler = {
      onRequestStart(started: Abortable) {
        if (isOver || phase !== 'waiting') {
          const refusal = new Error('the dispatcher started the same request again, which was stopped')
          fail(refusal)
          started.abort(refusal)
          return
        }
        phase = 'sending'
        controller = started
      },
      onRequestUpgrade(stopped: Abortable) {
        phase = 'receiving'
        fail(new Error('the other side switched protocols'))
        stopped.abort(new Error('the other side switched protocols'))
      },
      onResponseStart(_controller: unknown, httpStatus: number, headers: ReplyHeaders) {
        phase = 'receiving'
        if (httpStatus >= 200) head = { httpStatus, headers: lowerCaseNames(headers) }
      },
      onResponseData(reading: Abortable, chunk: Buffer) {
        if (isOver) return
        const left = maxReplyBytes - size
        chunks.push(chunk.length <= left ? chunk : chunk.subarray(0, left))
        size += chunk.length
        if (size <= maxReplyBytes) return
        answer(true)
        reading.abort(new Error('the answer is longer than "maxReplyBytes"'))
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_controller: unknown, cause: unknown) => fail(cause),
    }

    if (deadline.isOver()) return onOver()
    deadline.addListener(onOver)
    try {
      const { origin, path, headers } = request
      const body = isOwn ? request.body : readOnce(request.body, () => phase !== 'waiting')
      const options = { origin, path, method: 'POST' as const, headers: isOwn ? headers : { ...headers }, body }
      // Our own pool knows the new style.
      dispatcher.dispatch(reset ? { ...options, reset } : options, isOwn ? handler : forOldDispatchers(handler))
    } catch (cause) {
      fail(cause)
    }
  })
}

/**
 * A body that says it has been read once the request has started, as a stream would. undici's `RetryAgent` sends such a
 * request no second time; without it, it would ask for the rest of an answer that broke off by sending the request again,
 * and hide that start from our handler. Its redirecting interceptor stops for it too.
 */
function readOnce(body: Uint8Array, hasStarted: () => boolean): Buffer {
  return Object.defineProperty(Buffer.from(body), 'readableDidRead', { get: hasStarted })
}

/** undici gives names in lower case; a dispatcher written by hand may not. */
function lowerCaseNames(headers: ReplyHeaders): ReplyHeaders {
  const names = Object.keys(headers ?? {})
  if (headers && names.every(name => name === name.toLowerCase())) return headers
  return Object.fromEntries(names.map(name => [name.toLowerCase(), headers[name]]))
}

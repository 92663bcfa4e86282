import type { Rejection } from '../config/errors.js'
import { type AnyRequest, isOfHttp1 } from './parameters.js'

/** How a request is to be answered, in any framework: status, headers and body. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text, or empty. The answer to a callback tells its sender nothing. */
  readonly body: string
  /**
   * What failed on our side, or the error that refuses a customer: for your log or your error page. The status is right
   * without it.
   */
  readonly error?: unknown
}

/**
 * The answer as the Web's `Response`: for Hono, for a route handler of Next.js, and for everything else that takes a `Request`
 * and gives a `Response`.
 *
 * @param onError Told the `error` of the answer, which the response does not hold.
 * @example
 * ```ts
 * app.all('/callback', async context => webResponse(await receiver.answer(context.req.raw), console.error))
 * ```
 */
export function webResponse({ status, headers, body, error }: Answer, onError: (error: unknown) => void): Response {
  if (error !== undefined) onError(error)
  return new Response(body, { status, headers: { ...headers } })
}

/** An answer without a body, which no cache keeps. */
export const emptyAnswer = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  body: '',
})

/** The answer when something failed, with the status that the error names, or `otherwise`. */
export function failureAnswer(error: unknown, otherwise: 500 | 502): Answer {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : otherwise
  const answer = emptyAnswer(status >= 400 && status <= 599 ? status : otherwise)
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'no-referrer' }, error }
}

/** 303, which turns a POST into a GET, RFC 9110 section 15.4.4. The next page is not told where the customer came from. */
export function seeOther(location: string): Answer {
  const headers = { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return { status: 303, headers, body: '' }
}

/**
 * Ends the connection with the answer when a body was too large. Node.js would keep it until its keep-alive timeout for a next
 * request, which cannot come before the rest of this body. HTTP/2 has no such header, and servers of Web requests need none.
 */
export function endingUnread(
  answer: Answer,
  { rejection, request }: { readonly rejection: Rejection | undefined; readonly request: AnyRequest },
): Answer {
  if (rejection?.reason !== 'too-large' || !isOfHttp1(request)) return answer
  return { ...answer, headers: { ...answer.headers, Connection: 'close' } }
}

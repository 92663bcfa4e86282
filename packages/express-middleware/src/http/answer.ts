/**
 * How a request is to be answered, whatever framework does it.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Rejection } from '../config/errors.js'
import { sendAnswer } from '../express/to-express.js'
import { type AnyRequest, isOfHttp1 } from './request.js'

/** An answer: status, headers and body. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text, empty where there is none. It tells the sender nothing. */
  readonly body: string
  /**
   * What failed on our side, or the error that refuses a customer: for your log or your error page. The status is right
   * without it.
   */
  readonly error?: unknown
}

/**
 * The answer as the Web's `Response`: for Hono, for a route handler of Next.js, and for whatever else takes a `Request` and
 * gives a `Response`.
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

/** An answer without a body that nobody keeps. */
export const emptyAnswer = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  body: '',
})

/**
 * The answer when something failed: the status that the error says, if it is one of a failure.
 *
 * @param otherwise Status for every other error.
 */
export function failureAnswer(error: unknown, otherwise: 500 | 502 | 503): Answer {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : otherwise
  const answer = emptyAnswer(status >= 400 && status <= 599 ? status : otherwise)
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'no-referrer' }, error }
}

/** 303, not to be stored, and without telling the next page where the customer came from. */
export function seeOtherAnswer(location: string): Answer {
  const headers = { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return { status: 303, headers, body: '' }
}

/** Answers so. */
export function seeOther(response: ServerResponse, location: string): void {
  sendAnswer(response, seeOtherAnswer(location))
}

type Reason = Pick<Rejection, 'reason'>

/** Ends the connection with the answer when a body was longer than what is read. */
export function endingUnread(
  answer: Answer,
  { rejection, request }: { readonly rejection: Reason | undefined; readonly request: AnyRequest },
): Answer {
  if (rejection === undefined || !isLeftUnread(rejection) || !isOfHttp1(request)) return answer
  return { ...answer, headers: { ...answer.headers, ...ending } }
}

/** The same for an answer that somebody else gives. */
export function endUnreadBody(response: ServerResponse, rejection: Reason): void {
  if (!isLeftUnread(rejection) || response.headersSent) return
  for (const [name, value] of Object.entries(ending)) response.setHeader(name, value)
}

const ending = { Connection: 'close' } as const
const isLeftUnread = ({ reason }: Reason): boolean => reason === 'too-large'

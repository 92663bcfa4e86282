/**
 * What a verified callback came to, and how it is answered.
 *
 * @module
 */

import { CallbackUnsettledError } from '../config/errors.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import type { AnyRequest } from '../http/request.js'
import type { VerifiedCallback } from './check.js'
import type { Received } from './receiver.js'

/**
 * Stable name of what it came to. Answered with 200: `told`, `known`, `stored`. Answered with 503, so that the gateway sends
 * it again: everything else.
 */
export type ReportReason =
  /** Your handler knows every outcome that there is. */
  | 'told'
  /** Status says what your order says already. */
  | 'known'
  /** It is in a durable inbox, and is worked on from now. */
  | 'stored'
  /** Your function knows no such order: the callback may have come before the gateway's answer to your request. */
  | 'unknown-order'
  /** It names another order of the gateway than yours, or status does. Nothing was told. */
  | 'other-order'
  /** Status speaks of something that is not waited for. */
  | 'not-expected'
  /** Status says that it is not over yet, whatever the callback says. */
  | 'not-final'
  /** Status could not be asked. */
  | 'no-answer'
  /** Your handler is not done within the budget, or somebody else is about to tell it. */
  | 'busy'
  /** A function of yours or the inbox failed. */
  | 'failed'

/** What a callback came to. For your log; the sender sees the status only. */
export interface CallbackReport {
  readonly reason: ReportReason
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  /** The callback; absent when an entry of the inbox is worked on again. */
  readonly callback?: VerifiedCallback
  /** What was thrown, where something was. */
  readonly cause?: unknown
}

/** Makes a report; the reason decides the status. */
export function report(
  reason: ReportReason,
  explanation: string,
  more: Pick<CallbackReport, 'cause'> = {},
): CallbackReport {
  return { reason, status: taken.has(reason) ? 200 : 503, explanation, ...more }
}

const taken: ReadonlySet<ReportReason> = new Set(['told', 'known', 'stored'])

/** 200 where it was taken, 403 where it does not verify, 503 where the gateway shall send it again. */
export function callbackAnswer(received: Received, request: AnyRequest): Answer {
  const answer = emptyAnswer(received.status)
  if (!received.verified) return endingUnread(answer, { rejection: received, request })
  if (received.status === 200) return { ...answer, body: 'OK' }
  if (received.reason !== 'failed') return answer
  return { ...answer, error: new CallbackUnsettledError(received.explanation, { cause: received.cause }) }
}

/** A mistake in how this is mounted is 500; anything else may be over when the callback comes again. */
export const failedCallbackAnswer = (error: unknown): Answer => ({
  ...emptyAnswer(error instanceof Error && 'status' in error && error.status === 500 ? 500 : 503),
  error,
})

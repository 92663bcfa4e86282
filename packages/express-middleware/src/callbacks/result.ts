import { CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import type { AnyRequest } from '../http/request.js'
import type { VerifiedCallback } from './check.js'

/**
 * What a verified callback came to. Answered with 200: `told`, `known`, `stored`. Answered with 503, so that the gateway sends
 * it again: everything else. For your log; the sender sees the status only.
 */
export interface ReportedResult {
  readonly kind: /** Your handler knows every outcome that there is. */
    | 'told'
    /** Status says what your order says already. */
    | 'known'
    /** It is in a durable inbox, and is worked on from now. */
    | 'stored'
    /** Your function knows no such order: the callback may have come before the gateway's answer to your request. */
    | 'unknown-order'
    /** It names another order of the gateway than yours, or status does. Nothing was told. */
    | 'other-order'
    /** Status reports something that is not waited for. */
    | 'not-expected'
    /** Status says that it is not over yet, no matter what the callback says. */
    | 'not-final'
    /** Status could not be asked. */
    | 'no-answer'
    /** Your handler is not done within the budget, or another delivery is about to tell it. */
    | 'busy'
    /** A function of yours or the inbox failed. */
    | 'failed'
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  /** The callback; absent when an entry of the inbox is worked on again. */
  readonly callback?: VerifiedCallback
  /** What was thrown, if anything was. */
  readonly cause?: unknown
}

/** What a callback came to, and how to answer it. A callback that was not verified is refused with 403 and no word of why. */
export type CallbackResult = ReportedResult | (Rejection & { readonly status: 403 })

const taken: ReadonlySet<string> = new Set<ReportedResult['kind']>(['told', 'known', 'stored'])

/** Makes a result; the kind decides the status. */
export function callbackResult(
  kind: ReportedResult['kind'],
  explanation: string,
  more: Pick<ReportedResult, 'cause'> = {},
): ReportedResult {
  return { kind, status: taken.has(kind) ? 200 : 503, explanation, ...more }
}

/** The answer to a callback: its status, and `OK` where it was taken. */
export function callbackAnswer(result: CallbackResult, request: AnyRequest): Answer {
  const answer = emptyAnswer(result.status)
  if (result.kind === 'refused') return endingUnread(answer, { rejection: result, request })
  if (result.status === 200) return { ...answer, body: 'OK' }
  if (result.kind !== 'failed') return answer
  return { ...answer, error: new CallbackUnsettledError(result.explanation, { cause: result.cause }) }
}

/** The answer where nothing could be decided: 500 for a mistake in how this is mounted, else 503, for it may be over the next time. */
export const failedCallbackAnswer = (error: unknown): Answer => ({
  ...emptyAnswer(error instanceof Error && 'status' in error && error.status === 500 ? 500 : 503),
  error,
})

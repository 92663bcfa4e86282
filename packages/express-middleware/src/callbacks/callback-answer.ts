/**
 * How what a callback came to is answered. The sender learns the status and nothing else.
 *
 * @module
 */

import { CallbackUnsettledError } from '../config/errors.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import type { AnyRequest } from '../http/request.js'
import type { Received } from './callback-receiver.js'

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

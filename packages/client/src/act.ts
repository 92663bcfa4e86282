/**
 * Requests that create or change: remembered before the first byte, sent once, and noted when they are over.
 *
 * @module
 */
import type { Reply } from '@tillkit/protocol'
import { areAttemptsListenedTo } from './announce.js'
import { endOf } from './attempt-end.js'
import { attemptOf, noteEnd, reserve } from './attempt-steps.js'
import { authenticate } from './authenticate.js'
import { type AskStatus, takeBaseline } from './baseline.js'
import { clientClosed } from './conclude.js'
import { exchangeOnce, type PreparedCall } from './exchange-once.js'
import { whenNeeded } from './when-needed.js'
import { wireRequest } from './wire-request.js'

/**
 * Sends a request that creates or changes, once.
 *
 * @throws An {@link AnyGatewayError} for every ending but an answer with the record that was asked for.
 */
export async function act(prepared: PreparedCall, askStatus: AskStatus): Promise<Reply> {
  const { subject, plan, built, values, options, settings, connections, deadline } = prepared
  const { endpoint, attemptId } = options
  const authenticated = await authenticate({ subject, plan, built, values, endpoint, settings })
  const wire = wireRequest({ subject, address: built.address, authenticated })
  if (connections.isClosed()) throw clientClosed(subject)
  const baseline = settings.attempts === undefined ? undefined : await takeBaseline(prepared, askStatus)
  const reservedAt = settings.clock()
  // Without a port it is only shown, in an error of which no outcome is known or to whoever listens.
  const attempt = whenNeeded(() =>
    attemptOf({ subject, built, values, endpoint, settings, attemptId, baseline, reservedAt }),
  )
  const { scrubber } = authenticated
  const isTold = settings.attempts !== undefined || areAttemptsListenedTo()
  // Once it is reserved the outcome is somebody's business: nothing may throw without having been noted.
  const conclusion = await exchangeOnce(prepared, {
    authenticated,
    wire,
    attempt,
    reserve: isTold ? () => reserve(attempt, { subject, settings, scrubber, deadline }) : undefined,
    concluded: isTold ? (each, at) => noteEnd(attempt, { end: () => endOf(each, at), settings, scrubber }) : undefined,
  })
  if ('error' in conclusion) throw conclusion.error
  return conclusion.reply
}

import type { StatusSnapshot } from '@tillkit/protocol'
import { attemptOf, noteEnd, reserve } from '../attempts/attempt.js'
import { endOf } from '../attempts/attempt-end.js'
import { type AskStatus, hasBaseline, takeBaseline } from '../attempts/baseline.js'
import { lazy } from '../config/lazy.js'
import { areAttemptsListenedTo } from '../diagnostics/announce.js'
import { type CallResult, clientClosed } from '../reply/conclude.js'
import { type AuthenticatedRequest, signRequest } from '../request/sign-request.js'
import { wireRequest } from '../request/wire-request.js'
import { type CallContext, exchange, type ReadyRequest } from './exchange.js'

/** What asks status as a call would: with its settings, over its connections. */
export type StatusAskerOf = (call: CallContext) => AskStatus

/**
 * Sends a request that creates or changes, once.
 *
 * Not `async`, nor what it calls: each would be one more promise to make and to wait for, adr/0033.
 *
 * @param askerOf Asks for the baseline of a change.
 * @throws An {@link AnyGatewayError} where nothing was sent.
 */
export function sendOnce(prepared: CallContext, askerOf: StatusAskerOf): Promise<CallResult> {
  const authenticated = signRequest(prepared)
  return authenticated instanceof Promise
    ? authenticated.then(each => actWith(prepared, { authenticated: each, askerOf }))
    : actWith(prepared, { authenticated, askerOf })
}

function actWith(
  prepared: CallContext,
  { authenticated, askerOf }: { readonly authenticated: AuthenticatedRequest; readonly askerOf: StatusAskerOf },
): Promise<CallResult> {
  const { subject, built, connections } = prepared
  const wire = wireRequest({ subject, address: built.address, authenticated })
  if (connections.isClosed()) throw clientClosed(subject)
  if (!hasBaseline(prepared)) return actOnce(prepared, { authenticated, wire, baseline: undefined })
  return takeBaseline(prepared, askerOf(prepared)).then(baseline =>
    actOnce(prepared, { authenticated, wire, baseline }),
  )
}

/** What is sent, and what was known of its order before. */
interface ActInput extends Pick<ReadyRequest, 'authenticated' | 'wire'> {
  readonly baseline: StatusSnapshot | undefined
}

function actOnce(prepared: CallContext, { authenticated, wire, baseline }: ActInput): Promise<CallResult> {
  const { subject, settings, deadline } = prepared
  const { scrubber } = authenticated
  const reservedAt = settings.clock()
  // Without a port it is only shown, in an error of which no outcome is known or to whoever listens.
  const attempt = lazy(() => attemptOf({ prepared, baseline, reservedAt }))
  const isTold = settings.attempts !== undefined || areAttemptsListenedTo()
  // Once it is reserved the outcome is somebody's business: nothing may throw without having been noted.
  return exchange(prepared, {
    startedAt: reservedAt,
    authenticated,
    wire,
    attempt,
    reserve: isTold ? () => reserve(attempt, { subject, settings, scrubber, deadline }) : undefined,
    concluded: isTold ? (each, at) => noteEnd(attempt, { end: () => endOf(each, at), settings, scrubber }) : undefined,
  })
}

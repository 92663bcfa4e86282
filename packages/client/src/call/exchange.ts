import { type Attempt, notify } from '@tillkit/protocol'
import { noteEnd, reserve } from '../attempts/attempt.js'
import type { Settings } from '../config/settings.js'
import { conclude, endOf } from '../reply/conclude.js'
import type { CallResult, ConcludeInput } from '../reply/types.js'
import type { AuthenticatedRequest, CallContext } from '../request/types.js'
import { send } from '../transport/send.js'
import type { WireRequest } from '../transport/types.js'
import { observed } from './observed.js'

/** A request that is ready to be sent, and the attempt it is. */
export interface ReadyRequest {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly authenticated: AuthenticatedRequest
  readonly wire: WireRequest
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
}

/**
 * Exchanges one request and its answer: reserves, sends, and concludes what may be said of it.
 *
 * @throws An {@link AnyGatewayError} when the attempt was not reserved; nothing was sent then.
 */
export async function exchange(context: CallContext, ready: ReadyRequest): Promise<CallResult> {
  const { requestStart, requestEnd, exchange: seen } = context.settings.observer
  const isObserved = requestStart !== undefined || requestEnd !== undefined || seen !== undefined
  const run = () => sendAndConclude(context, ready)
  return isObserved ? observed(context, ready, run) : run()
}

async function sendAndConclude(context: CallContext, ready: ReadyRequest): Promise<CallResult> {
  const { subject, request, settings, connections, deadline, options } = context
  const { wire, attempt, startedAt, authenticated } = ready
  const { scrubber } = authenticated
  const { observer, maxReplyBytes } = settings
  const isTold = settings.attempts !== undefined || observer.attempt !== undefined
  if (attempt !== undefined && isTold) await reserve(attempt(), { subject, settings, scrubber, deadline })
  // From here on nothing may throw: what was reserved has to be noted.
  if (observer.signed !== undefined) notify(() => observer.signed?.(authenticated.signed()))
  const { freshConnection } = options
  const transmission = await send({ request: wire, connections, maxReplyBytes, deadline, freshConnection })
  const at = timeNow(settings, startedAt)
  const { values } = request
  const result = concludeInAnyCase({ ...subject, values, attempt, at, scrubber, settings, transmission })
  if (attempt !== undefined && isTold) await noteEnd(attempt(), { end: endOf(result, at), settings, scrubber })
  return result
}

/** The time, or the last known one: a clock that fails must not lose an ending. */
function timeNow({ clock }: Settings, before: number): number {
  try {
    return clock()
  } catch {
    return before
  }
}

/** Should reading an answer fail in an unforeseen way, it counts as an answer that broke off, and not as a refusal. */
function concludeInAnyCase(input: ConcludeInput): CallResult {
  try {
    return conclude(input)
  } catch (cause) {
    const { transmission } = input
    const isConnectionClosed = transmission.kind !== 'closed' && transmission.isConnectionClosed
    return conclude({ ...input, transmission: { kind: 'failed', phase: 'receiving', cause, isConnectionClosed } })
  }
}

import type { Attempt } from '@tillkit/protocol'
import { type AskStatus, attemptOf, hasBaseline, noteEnd, reserve, takeBaseline } from '../attempts/attempt.js'
import { lazy } from '../config/lazy.js'
import type { Settings } from '../config/settings.js'
import { clientClosed, conclude, endOf } from '../reply/conclude.js'
import type { CallResult, ConcludeInput } from '../reply/types.js'
import { wireRequest } from '../request/form.js'
import { signRequest } from '../request/sign-request.js'
import type { CallContext } from '../request/types.js'
import { send } from '../transport/connections.js'
import { observe } from './observe.js'

/**
 * Exchanges one request and its answer: signs, reserves, sends, and concludes what may be said of it. A request that creates or
 * changes is remembered before the first byte and noted when it is over.
 *
 * @param askStatus Asks for the baseline of a change.
 * @throws An {@link AnyGatewayError} where nothing was sent.
 */
export async function exchange(context: CallContext, askStatus: AskStatus): Promise<CallResult> {
  const { subject, request, built, options, settings, connections, deadline } = context
  const signing = signRequest(context)
  // To wait for what is there already would take a turn of the queue for each call.
  const authenticated = signing instanceof Promise ? await signing : signing
  const { scrubber } = authenticated
  const wire = wireRequest({ subject, address: built.address, authenticated })
  if (connections.isClosed()) throw clientClosed(subject)
  const baseline = hasBaseline(context) ? await takeBaseline(context, askStatus) : undefined
  const startedAt = settings.clock()
  const attempt =
    subject.row.effect === 'reads' ? undefined : lazy(() => attemptOf(context, { baseline, reservedAt: startedAt }))
  // Without a port or an observer an attempt is only shown, in the error of a request whose outcome is unknown.
  const isTold = settings.attempts !== undefined || settings.observer.attempt !== undefined
  const toldAttempt: Attempt | undefined = isTold ? attempt?.() : undefined
  const observation = isObserved(settings.observer) ? observe(context, { authenticated, startedAt }) : undefined
  if (toldAttempt !== undefined) {
    await reserve(toldAttempt, { subject, settings, scrubber, deadline }).catch(error => {
      observation?.notReserved(error)
      throw error
    })
  }
  // From here on nothing may throw: what was reserved has to be noted.
  observation?.signed()
  const { freshConnection } = options
  const { maxReplyBytes } = settings
  const transmission = await send({ request: wire, connections, maxReplyBytes, deadline, freshConnection })
  const at = timeNow(settings, startedAt)
  const { values } = request
  const result = concludeInAnyCase({ subject, values, attempt, at, scrubber, settings, transmission })
  if (toldAttempt !== undefined) await noteEnd(toldAttempt, { end: endOf(result, at), settings, scrubber })
  observation?.ended(result)
  return result
}

const isObserved = ({ requestStart, requestEnd, exchange: seen, signed }: Settings['observer']): boolean =>
  (requestStart ?? requestEnd ?? seen ?? signed) !== undefined

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

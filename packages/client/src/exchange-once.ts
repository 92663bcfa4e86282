/**
 * One request and its answer: send, conclude, and let the observer see.
 *
 * @module
 */
import { type Attempt, notify } from '@tillkit/protocol'
import { announceRequest, isListenedTo } from './announce.js'
import type { AuthenticatedRequest } from './authenticate.js'
import type { BuiltRequest } from './build-request.js'
import type { CheckedCallOptions } from './call-options.js'
import { type ConcludeInput, type Conclusion, conclude } from './conclude.js'
import type { Deadline } from './deadline.js'
import { exchangeOf } from './exchange.js'
import type { FieldTexts } from './field-texts.js'
import type { OperationPlan } from './operation-plan.js'
import type { Connections } from './pool.js'
import { requestMessage } from './request-message.js'
import type { RequestSubject } from './request-mistake.js'
import { send } from './send.js'
import type { Settings } from './settings.js'
import type { WireRequest } from './transmit.js'

/** A call whose input was checked. */
export interface PreparedCall {
  readonly subject: RequestSubject
  readonly plan: OperationPlan
  readonly built: BuiltRequest
  /** The record's fields as text. */
  readonly values: FieldTexts
  readonly options: CheckedCallOptions
  readonly settings: Settings
  readonly connections: Connections
  /** That of the whole call. */
  readonly deadline: Deadline
}

/** A request that is ready to be sent, and what its attempts port is told. */
export interface ReadyRequest {
  readonly authenticated: AuthenticatedRequest
  readonly wire: WireRequest
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
  /** Runs before the first byte. When it rejects nothing is sent. */
  readonly reserve?: (() => Promise<void>) | undefined
  /** Runs when the request is concluded. Never rejects. */
  readonly concluded?: ((conclusion: Conclusion, at: number) => Promise<void>) | undefined
}

/**
 * Sends a request and concludes what may be said of it.
 *
 * @throws What `reserve` rejects with; nothing was sent then.
 */
export function exchangeOnce(prepared: PreparedCall, ready: ReadyRequest): Promise<Conclusion> {
  const { subject, built, settings, options } = prepared
  const { authenticated } = ready
  const { observer, clock } = settings
  const startedAt = clock()
  const run = () => sendAndConclude(prepared, { ready, startedAt })
  if (observer.exchange === undefined && !isListenedTo()) return run()
  const { endpoint } = options
  const { scheme } = authenticated
  const describe = () => requestMessage({ subject, endpoint, scheme, startedAt, settings })
  return announceRequest({ describe, clock, run }).then(conclusion => {
    notify(() => observer.exchange?.(exchangeOf({ subject, built, authenticated, conclusion, settings, startedAt })))
    return conclusion
  })
}

async function sendAndConclude(
  { subject, settings, connections, deadline, options }: PreparedCall,
  { ready, startedAt }: { readonly ready: ReadyRequest; readonly startedAt: number },
): Promise<Conclusion> {
  const { wire, attempt } = ready
  const { scrubber, signed } = ready.authenticated
  const { name, row, login, clientOrderId, orderId } = subject
  const { observer, maxReplyBytes } = settings
  // Even where nothing is reserved: requests that start together are encoded together and sent together, see adr/0028.
  await ready.reserve?.()
  if (observer.signed !== undefined) notify(() => observer.signed?.(signed()))
  const { freshConnection } = options
  const transmission = await send({ request: wire, connections, maxReplyBytes, deadline, freshConnection })
  const at = timeNow(settings, startedAt)
  const about = { name, row, login, clientOrderId, orderId, attempt, at, scrubber, settings, transmission }
  const conclusion = concludeInAnyCase(about)
  if (ready.concluded !== undefined) await ready.concluded(conclusion, at)
  return conclusion
}

/** The time, or the last known one: a clock that fails must not lose an ending. */
function timeNow({ clock }: Settings, before: number): number {
  try {
    return clock()
  } catch {
    return before
  }
}

/** Should reading an answer fail in a way nobody foresaw, it counts as an answer that broke off, and not as a refusal. */
function concludeInAnyCase(input: ConcludeInput): Conclusion {
  try {
    return conclude(input)
  } catch (cause) {
    const { transmission } = input
    const isConnectionClosed = transmission.kind !== 'closed' && transmission.isConnectionClosed
    return conclude({ ...input, transmission: { kind: 'failed', phase: 'receiving', cause, isConnectionClosed } })
  }
}

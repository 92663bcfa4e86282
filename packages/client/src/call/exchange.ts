import { type Attempt, notify, redactField } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { CheckedCallOptions } from '../config/call-options.js'
import type { Settings } from '../config/settings.js'
import { announceRequest, isListenedTo } from '../diagnostics/announce.js'
import type { Exchange } from '../diagnostics/observer.js'
import { requestMessage } from '../diagnostics/request-message.js'
import type { RequestSubject } from '../errors/invalid-request.js'
import { clockDifference } from '../reply/clock-difference.js'
import { type CallResult, type ConcludeInput, conclude } from '../reply/conclude.js'
import type { BuiltRequest } from '../request/build-request.js'
import type { OperationPlan } from '../request/operation-plan.js'
import type { AuthenticatedRequest } from '../request/sign-request.js'
import type { ValidRequest } from '../request/validate-request.js'
import type { Connections } from '../transport/connections.js'
import type { Deadline } from '../transport/deadline.js'
import { mayBeSentAgain, send, sendAfresh } from '../transport/send.js'
import type { WireRequest } from '../transport/transmit.js'

/** A call whose input was checked. */
export interface CallContext {
  readonly subject: RequestSubject
  readonly plan: OperationPlan
  readonly built: BuiltRequest
  readonly checked: ValidRequest
  readonly options: CheckedCallOptions
  readonly settings: Settings
  readonly connections: Connections
  /** That of the whole call. */
  readonly deadline: Deadline
}

/** A request that is ready to be sent, and what its attempts port is told. */
export interface ReadyRequest {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly authenticated: AuthenticatedRequest
  readonly wire: WireRequest
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
  /** Runs before the first byte. When it rejects nothing is sent. */
  readonly reserve?: (() => Promise<void>) | undefined
  /** Runs when the request is concluded. Never rejects. */
  readonly concluded?: ((conclusion: CallResult, at: number) => Promise<void>) | undefined
}

/**
 * Sends a request and concludes what may be said of it.
 *
 * @throws What `reserve` rejects with; nothing was sent then.
 */
export function exchange(prepared: CallContext, ready: ReadyRequest): Promise<CallResult> {
  const { subject, built, settings, options } = prepared
  const { authenticated } = ready
  const { observer, clock } = settings
  if (observer.exchange === undefined && !isListenedTo()) return sendAndConclude(prepared, ready)
  const { startedAt } = ready
  const run = () => sendAndConclude(prepared, ready)
  const { endpoint } = options
  const { scheme } = authenticated
  const describe = () => requestMessage({ subject, endpoint, scheme, startedAt, settings })
  return announceRequest({ describe, clock, run }).then(conclusion => {
    notify(() => observer.exchange?.(exchangeOf({ subject, built, authenticated, conclusion, settings, startedAt })))
    return conclusion
  })
}

async function sendAndConclude(prepared: CallContext, ready: ReadyRequest): Promise<CallResult> {
  const { subject, settings, connections, deadline, options } = prepared
  const { wire, attempt, startedAt } = ready
  const { scrubber, signed } = ready.authenticated
  const { name, row, login, clientOrderId, orderId } = subject
  const { observer, maxReplyBytes } = settings
  // Even where nothing is reserved: requests that start together are encoded together and sent together, see adr/0028.
  await ready.reserve?.()
  if (observer.signed !== undefined) notify(() => observer.signed?.(signed()))
  const { freshConnection } = options
  const sending = { request: wire, connections, maxReplyBytes, deadline, freshConnection }
  const first = await send(sending)
  const transmission = mayBeSentAgain(first, sending) ? await sendAfresh(sending) : first
  const at = timeNow(settings, startedAt)
  const { values } = prepared.checked
  const about = { name, row, login, clientOrderId, orderId, values, attempt, at, scrubber, settings, transmission }
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
function concludeInAnyCase(input: ConcludeInput): CallResult {
  try {
    return conclude(input)
  } catch (cause) {
    const { transmission } = input
    const isConnectionClosed = transmission.kind !== 'closed' && transmission.isConnectionClosed
    return conclude({ ...input, transmission: { kind: 'failed', phase: 'receiving', cause, isConnectionClosed } })
  }
}

/** What an exchange is made of. */
export interface ExchangeInput {
  readonly subject: RequestSubject
  readonly built: BuiltRequest
  readonly authenticated: AuthenticatedRequest
  readonly conclusion: CallResult
  readonly settings: Pick<Settings, 'clock'>
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** Describes a finished call, redacted. */
export function exchangeOf({
  subject,
  built,
  authenticated,
  conclusion,
  settings,
  startedAt,
}: ExchangeInput): Exchange {
  const { form, scrubber, scheme, signed } = authenticated
  const { ending, httpStatus, record, receivedText, date } = conclusion
  const orderId = record?.orderId() ?? subject.orderId
  const finishedAt = settings.clock()
  const difference = date === undefined ? undefined : clockDifference({ date }, finishedAt)
  return {
    operation: subject.name,
    login: signed().login,
    path: built.address.path,
    scheme,
    ...(subject.clientOrderId === undefined ? {} : { clientOrderId: subject.clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    startedAt,
    finishedAt,
    fields: form.shape.fields.map(
      ({ name, shownAs }, at): Parameter => [name, redactField({ shownAs, value: form.texts[at] ?? '' }, scrubber)],
    ),
    signed: signed(),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(difference === undefined ? {} : { clockDifference: difference }),
    ...(record === undefined ? {} : { reply: record.received() }),
    ...(receivedText === undefined ? {} : { receivedText }),
    ending,
    ...('error' in conclusion ? { error: shownError(conclusion.error) } : {}),
  }
}

const shownError = ({ code, message }: NonNullable<Exchange['error']>): NonNullable<Exchange['error']> => ({
  code,
  message,
})

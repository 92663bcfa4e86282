import type { AttemptEnd, Scrubber, WireProfile } from '@tillkit/protocol'
import { NotSentError, OutcomeUnknownError, type SentDescription, TransportError } from '../errors/errors.js'
import {
  adviseUnknown,
  describeCause,
  errorIds,
  mayMoveMoney,
  nameRequest,
  type RequestSubject,
  safeCause,
  sentence,
} from '../errors/messages.js'
import type { CallContext } from '../request/types.js'
import type { Transmission } from '../transport/types.js'
import { judgeAnswer } from './judge-answer.js'
import { isGateways } from './parse-reply.js'
import { receivedText } from './received-text.js'
import type { Answered, CallResult, Sent } from './types.js'

/**
 * Concludes how a call ended: what may be said of a request from what was observed, and not more.
 *
 * `not-sent`: a dispatcher that reports each start never reported one. `refused`: a refusal by the table in `refusal.ts`.
 * Everything else without the record that was asked for is unknown for operations that create or change, and an error
 * without consequences for those that read.
 */
export function conclude(context: CallContext, sent: Sent): CallResult {
  const { attempt, transmission } = sent
  const result = judge(context, sent)
  const connection = connectionAfter(transmission, context.plan.profile)
  if (result.kind === 'answered') {
    const kind = attempt === undefined ? 'answered' : 'accepted'
    return { kind, reply: result.reply, answered: { ...result.answered, connection } }
  }
  const { record } = result.answered
  // A form that may be another order's must not be opened.
  const foreignStatus = foreignStatusOf(transmission, context.plan.profile)
  const answered = { ...result.answered, record: record?.without('redirectUrl'), connection, foreignStatus }
  if (attempt === undefined || result.kind !== 'no-answer') return { ...result, answered }
  const end = endOf({ kind: 'unknown', answered }, sent.at)
  const error = outcomeUnknown(context.subject, answered, result.error, { ...attempt(), end })
  return { kind: 'unknown', error, answered }
}

/** How an attempt ended. @param at Milliseconds since the epoch. */
export function endOf({ kind, answered }: Pick<CallResult, 'kind' | 'answered'>, at: number): AttemptEnd {
  const { connection, record, foreignStatus } = answered
  const orderId = record?.orderId()
  const serialNumber = record?.serialNumber()
  const redirectUrl = record?.redirectUrl()
  // `answered` and `no-answer` are of reads, which are no attempts.
  const ended = kind === 'answered' || kind === 'no-answer' ? 'unknown' : kind
  // What every ending has, and then what it may have: a store in memory keeps many of them.
  const end: { -readonly [Field in keyof AttemptEnd]: AttemptEnd[Field] } = { kind: ended, at }
  if (orderId !== undefined) end.orderId = orderId
  if (serialNumber !== undefined) end.serialNumber = serialNumber
  if (redirectUrl !== undefined) end.redirectUrl = redirectUrl
  if (connection !== undefined) end.connection = connection
  if (foreignStatus !== undefined && ended === 'unknown') end.foreignStatus = foreignStatus
  return end
}

/** Why nothing of the request may still be on its way. A proxy that answers for the gateway may have passed it on before. */
function connectionAfter(transmission: Transmission, profile: WireProfile): Answered['connection'] {
  const { kind } = transmission
  if (kind === 'answered' && !transmission.answer.isTooLong)
    return isGateways(transmission.answer, profile) ? 'answered' : undefined
  return transmission.kind !== 'closed' && transmission.isConnectionClosed ? 'closed' : undefined
}

const foreignStatusOf = (transmission: Transmission, profile: WireProfile): Answered['foreignStatus'] =>
  transmission.kind === 'answered' && !isGateways(transmission.answer, profile)
    ? transmission.answer.httpStatus
    : undefined

function judge(context: CallContext, { transmission, scrubber }: Sent): CallResult {
  if (transmission.kind === 'answered') return judgeAnswer({ context, answer: transmission.answer, scrubber })
  if (transmission.kind === 'failed') return judgeFailure(context, transmission, scrubber)
  return { kind: 'not-sent', error: clientClosed(context.subject), answered: {} }
}

/** The error of a request that came after `close`. */
export const clientClosed = (subject: RequestSubject): NotSentError =>
  new NotSentError(
    `${nameRequest(subject)} was not sent: this client was closed. Make another one with createClient.`,
    errorIds(subject),
  )

const progressOf = {
  unreported: 'in a dispatcher that does not report when a request starts',
  sending: 'after the request had started',
  receiving: 'in the middle of the answer',
} as const

function judgeFailure(
  { subject, settings, plan }: CallContext,
  { phase, begun, cause }: Extract<Transmission, { kind: 'failed' }>,
  scrubber: Scrubber,
): CallResult {
  const reason = sentence(describeCause(cause, scrubber))
  const details = { ...errorIds(subject), cause: safeCause(cause, scrubber) }
  if (phase === 'waiting') {
    const message =
      `${nameRequest(subject)} was not sent to ${settings.baseUrl.origin}: ${reason} Nothing left this machine, so it ` +
      'may be sent again. Check address, network and proxy; client.check() says what is wrong with them.'
    return { kind: 'not-sent', error: new NotSentError(message, details), answered: {} }
  }
  const text = begun === undefined ? undefined : receivedText(begun, true, plan.profile, scrubber)
  return {
    kind: 'no-answer',
    answered: { httpStatus: begun?.httpStatus, receivedText: text },
    error: new TransportError(`${nameRequest(subject)} broke off ${progressOf[phase]}: ${reason}`, {
      ...details,
      phase: phase === 'receiving' ? phase : 'sending',
      moneyMayHaveMoved: mayMoveMoney(subject.row),
      receivedText: text,
    }),
  }
}

function outcomeUnknown(
  subject: RequestSubject,
  { record, receivedText: text }: Answered,
  cause: OutcomeUnknownError['cause'],
  attempt: SentDescription,
): OutcomeUnknownError {
  const orderId = record?.orderId() ?? subject.orderId
  const serialNumber = record?.serialNumber()
  const message =
    `${nameRequest(subject)} may have arrived, and its outcome is not known. ` +
    `${adviseUnknown({ ...subject, orderId }, serialNumber)} The cause: ${cause.message}`
  return new OutcomeUnknownError(message, {
    ...errorIds(subject),
    orderId,
    attempt,
    serialNumber,
    received: record?.received(),
    receivedText: text,
    retryAfter: 'retryAfter' in cause ? cause.retryAfter : undefined,
    moneyMayHaveMoved: mayMoveMoney(subject.row),
    cause,
  })
}

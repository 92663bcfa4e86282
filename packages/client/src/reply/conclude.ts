import type { AttemptEnd, RememberedAttempt, WireProfile } from '@tillkit/protocol'
import { NotSentError, OutcomeUnknownError, TransportError } from '../errors/errors.js'
import {
  adviseUnknown,
  describeCause,
  nameRequest,
  type RequestSubject,
  safeCause,
  sentence,
} from '../errors/messages.js'
import type { Transmission } from '../transport/types.js'
import { judgeAnswer } from './judge-answer.js'
import { isGateways } from './parse-reply.js'
import { receivedText } from './received-text.js'
import type { Answered, CallResult, ConcludeInput, OpenCause } from './types.js'

/**
 * Concludes how a call ended: what may be said of a request from what was observed, and not more.
 *
 * `not-sent`: a dispatcher that reports each start never reported one. `refused`: a refusal by the table in `refusal.ts`.
 * Everything else without the record that was asked for is unknown for operations that create or change, and an error
 * without consequences for those that read.
 */
export function conclude(input: ConcludeInput): CallResult {
  const { attempt, transmission, settings } = input
  const result = judge(input)
  const connection = connectionAfter(transmission, settings.profile)
  if (result.kind === 'answered') {
    const { reply } = result
    return {
      kind: attempt === undefined ? 'answered' : 'accepted',
      reply,
      answered: { ...result.answered, connection },
    }
  }
  const { record } = result.answered
  // A form that may be another order's must not be opened.
  const answered = { ...result.answered, record: record?.without('redirectUrl'), connection }
  if (attempt === undefined || result.kind !== 'no-answer') return { ...result, answered }
  const end = endOf({ kind: 'unknown', answered }, input.at)
  const error = outcomeUnknown(input, { cause: result.error, answered, attempt: { ...attempt(), end } })
  return { kind: 'unknown', error, answered }
}

/** How an attempt ended. @param at Milliseconds since the epoch. */
export function endOf({ kind, answered }: Pick<CallResult, 'kind' | 'answered'>, at: number): AttemptEnd {
  const { connection, record } = answered
  const orderId = record?.orderId()
  const serialNumber = record?.serialNumber()
  const redirectUrl = record?.redirectUrl()
  // `answered` and `no-answer` are of reads, which are no attempts.
  const ended = kind === 'answered' || kind === 'no-answer' ? 'unknown' : kind
  // What every ending has, and then what it may have: a port keeps many of them.
  const end: { -readonly [Field in keyof AttemptEnd]: AttemptEnd[Field] } = { kind: ended, at }
  if (orderId !== undefined) end.orderId = orderId
  if (serialNumber !== undefined) end.serialNumber = serialNumber
  if (redirectUrl !== undefined) end.redirectUrl = redirectUrl
  if (connection !== undefined) end.connection = connection
  return end
}

/** Why nothing of the request may still be on its way. A proxy that answers for the gateway may have passed it on before. */
function connectionAfter(transmission: Transmission, profile: WireProfile): Answered['connection'] {
  const { kind } = transmission
  if (kind === 'answered' && !transmission.answer.isTooLong)
    return isGateways(transmission.answer, profile) ? 'answered' : undefined
  return transmission.kind !== 'closed' && transmission.isConnectionClosed ? 'closed' : undefined
}

function judge(input: ConcludeInput): CallResult {
  const { transmission } = input
  if (transmission.kind === 'answered') return judgeAnswer({ ...input, transmission })
  if (transmission.kind === 'failed') return judgeFailure(input, transmission)
  return { kind: 'not-sent', error: clientClosed(input.subject), answered: {} }
}

/** The error of a request that came after `close`. */
export function clientClosed(subject: RequestSubject): NotSentError {
  const { name, clientOrderId, orderId, login } = subject
  const message = `${nameRequest(subject)} was not sent: this client was closed. Make another one with createClient.`
  return new NotSentError(message, { operation: name, login, clientOrderId, orderId })
}

const progressOf = {
  unreported: 'in a dispatcher that does not report when a request starts',
  sending: 'after the request had started',
  receiving: 'in the middle of the answer',
} as const

function judgeFailure(input: ConcludeInput, failure: Extract<Transmission, { kind: 'failed' }>): CallResult {
  const { subject, scrubber, settings } = input
  const { name, clientOrderId, orderId, login } = subject
  const { phase, begun } = failure
  const reason = sentence(describeCause(failure.cause, scrubber))
  const details = { operation: name, login, clientOrderId, orderId, cause: safeCause(failure.cause, scrubber) }
  if (phase === 'waiting') {
    const message =
      `${nameRequest(input.subject)} was not sent to ${settings.baseUrl.origin}: ${reason} Nothing left this machine, so it ` +
      'may be sent again. Check address, network and proxy; client.check() says what is wrong with them.'
    return { kind: 'not-sent', error: new NotSentError(message, details), answered: {} }
  }
  const message = `${nameRequest(input.subject)} broke off ${progressOf[phase]}: ${reason}`
  const moneyMayHaveMoved = subject.row.effect !== 'reads'
  const { profile } = settings
  const text = begun === undefined ? undefined : receivedText(begun, { profile, scrubber, isCut: true })
  return {
    kind: 'no-answer',
    answered: { httpStatus: begun?.httpStatus, receivedText: text },
    error: new TransportError(message, {
      ...details,
      phase: phase === 'receiving' ? phase : 'sending',
      moneyMayHaveMoved,
      receivedText: text,
    }),
  }
}

function outcomeUnknown(
  input: ConcludeInput,
  {
    cause,
    answered,
    attempt,
  }: { readonly cause: OpenCause; readonly answered: Answered; readonly attempt: RememberedAttempt },
): OutcomeUnknownError {
  const { record, receivedText: text } = answered
  const [orderId, serialNumber] = [record?.orderId() ?? input.subject.orderId, record?.serialNumber()]
  const message =
    `${nameRequest(input.subject)} may have arrived, and its outcome is not known. Do not send it again. ` +
    `${adviseUnknown({ ...input.subject, orderId }, serialNumber)} The cause: ${cause.message}`
  return new OutcomeUnknownError(message, {
    operation: input.subject.name,
    login: input.subject.login,
    clientOrderId: input.subject.clientOrderId,
    orderId,
    attempt,
    serialNumber,
    received: record?.received(),
    receivedText: text,
    moneyMayHaveMoved: true,
    cause,
  })
}

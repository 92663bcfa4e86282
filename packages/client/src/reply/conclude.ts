/**
 * The conclusion of a call: what may be said of a request from what was observed, and not more.
 *
 * @module
 */
import type {
  AnyOperation,
  Attempt,
  AttemptEnd,
  RememberedAttempt,
  Reply,
  Scrubber,
  WireProfile,
} from '@tillkit/protocol'
import { endOf } from '../attempts/attempt-end.js'
import type { Settings } from '../config/settings.js'
import type { Ending } from '../diagnostics/observer.js'
import {
  type AnyGatewayError,
  type GatewayFailureError,
  NotSentError,
  OutcomeUnknownError,
  TransportError,
  type UnreadableReplyError,
} from '../errors/errors.js'
import { adviseUnknown, nameRequest, sentence, type Talked } from '../errors/messages.js'
import { describeCause, safeCause } from '../errors/safe-cause.js'
import type { Form } from '../request/form.js'
import type { Transmission } from '../transport/transmit.js'
import { type JudgeAnswerInput, judgeAnswer } from './judge-answer.js'
import { isGateways } from './parse-reply.js'
import { receivedText } from './received-text.js'
import type { RedactedRecord } from './record.js'

/** The request that a conclusion is about. */
export interface ConcludeInput extends Talked {
  readonly row: AnyOperation
  readonly transmission: Transmission
  /** The request's fields: what of them is in the answer again is an echo. */
  readonly values: Pick<Form, 'texts'>
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
  /** When the transmission was over, in milliseconds since the epoch. */
  readonly at: number
  readonly scrubber: Scrubber
  readonly settings: Pick<Settings, 'profile' | 'baseUrl' | 'clock'>
}

/** What an answer said. */
export interface Answered {
  readonly httpStatus?: number | undefined
  readonly record?: RedactedRecord | undefined
  /** Where the answer could not be read as a reply, its beginning, redacted. */
  readonly receivedText?: string | undefined
  /** The answer's `Date` header. */
  readonly date?: string | undefined
  readonly connection?: AttemptEnd['connection'] | undefined
}

/** How a call ended, and on what. */
export type CallResult = Answered &
  (
    | { readonly ending: 'accepted' | 'answered'; readonly reply: Reply }
    | { readonly ending: Exclude<Ending, 'accepted' | 'answered'>; readonly error: AnyGatewayError }
  )

/** What is wrong where no outcome is known. */
export type OpenCause = GatewayFailureError | UnreadableReplyError | TransportError

/** A verdict that does not look at what the operation does to the world. */
export type Judgement =
  | { readonly verdict: 'fulfilled'; readonly reply: Reply; readonly answered: Answered }
  | { readonly verdict: 'refused' | 'not-sent'; readonly error: AnyGatewayError; readonly answered: Answered }
  | { readonly verdict: 'open'; readonly cause: OpenCause; readonly answered: Answered }

/**
 * Concludes how a call ended.
 *
 * `not-sent`: a dispatcher that reports each start never reported one. `refused`: a refusal by the table in `refusal.ts`.
 * Everything else without the record that was asked for is unknown for operations that create or change, and an error
 * without consequences for those that read.
 */
export function conclude(input: ConcludeInput): CallResult {
  const { transmission, attempt } = input
  const judged = judge(input, transmission)
  const { httpStatus, record, receivedText, date } = judged.answered
  const connection = connectionAfter(transmission, input.settings.profile)
  const isRead = attempt === undefined
  if (judged.verdict === 'fulfilled') {
    const { reply } = judged
    const ending = isRead ? 'answered' : 'accepted'
    // Written out: to copy an object with `...` and add to it took 3 µs, see adr/0020.
    return { ending, reply, httpStatus, record, receivedText, date, connection }
  }
  // A form that may be another order's is nobody's to open.
  const answered = { httpStatus, record: record?.without('redirectUrl'), receivedText, date, connection }
  if (judged.verdict !== 'open') return { ...answered, ending: judged.verdict, error: judged.error }
  const { cause } = judged
  if (isRead) return { ...answered, ending: 'no-answer', error: cause }
  const end = endOf({ ...answered, ending: 'unknown' }, input.at)
  return {
    ...answered,
    ending: 'unknown',
    error: outcomeUnknown(input, cause, { answered, attempt: { ...attempt(), end } }),
  }
}

/** Why nothing of the request may still be on its way. A proxy that answers for the gateway may have passed it on before. */
function connectionAfter(transmission: Transmission, profile: WireProfile): Answered['connection'] {
  const { kind } = transmission
  if (kind === 'answered' && !transmission.answer.isTooLong)
    return isGateways(transmission.answer, profile) ? 'answered' : undefined
  return transmission.kind !== 'closed' && transmission.isConnectionClosed ? 'closed' : undefined
}

function judge(input: ConcludeInput, transmission: Transmission): Judgement {
  if (isAnswered(input)) return judgeAnswer(input)
  if (transmission.kind === 'failed') return judgeFailure(input, transmission)
  return { verdict: 'not-sent', error: clientClosed(input), answered: {} }
}

const isAnswered = (input: ConcludeInput): input is JudgeAnswerInput => input.transmission.kind === 'answered'

/** The error of a request that came after `close`. */
export function clientClosed(talked: Talked): NotSentError {
  const { name, clientOrderId, orderId, login } = talked
  const message = `${nameRequest(talked)} was not sent: this client was closed. Make another one with createClient.`
  return new NotSentError(message, { operation: name, login, clientOrderId, orderId })
}

const progressOf = {
  unreported: 'in a dispatcher that does not report when a request starts',
  sending: 'after the request had started',
  receiving: 'in the middle of the answer',
} as const

function judgeFailure(input: ConcludeInput, failure: Extract<Transmission, { kind: 'failed' }>): Judgement {
  const { name, clientOrderId, orderId, login, scrubber, settings } = input
  const { phase, begun } = failure
  const reason = sentence(describeCause(failure.cause, scrubber))
  const details = { operation: name, login, clientOrderId, orderId, cause: safeCause(failure.cause, scrubber) }
  if (phase === 'waiting') {
    const message =
      `${nameRequest(input)} was not sent to ${settings.baseUrl.origin}: ${reason} Nothing left this machine, so it ` +
      'may be sent again. Check address, network and proxy; client.check() says what is wrong with them.'
    return { verdict: 'not-sent', error: new NotSentError(message, details), answered: {} }
  }
  const message = `${nameRequest(input)} broke off ${progressOf[phase]}: ${reason}`
  const moneyMayHaveMoved = input.row.effect !== 'reads'
  const { profile } = settings
  const text = begun === undefined ? undefined : receivedText(begun, { profile, scrubber, isCut: true })
  return {
    verdict: 'open',
    answered: { httpStatus: begun?.httpStatus, receivedText: text },
    cause: new TransportError(message, {
      ...details,
      phase: phase === 'receiving' ? phase : 'sending',
      moneyMayHaveMoved,
      receivedText: text,
    }),
  }
}

function outcomeUnknown(
  input: ConcludeInput,
  cause: OpenCause,
  { answered, attempt }: { readonly answered: Answered; readonly attempt: RememberedAttempt },
): OutcomeUnknownError {
  const { record, receivedText: text } = answered
  const [orderId, serialNumber] = [record?.orderId() ?? input.orderId, record?.serialNumber()]
  const message =
    `${nameRequest(input)} may have arrived, and its outcome is not known. Do not send it again. ` +
    `${adviseUnknown({ ...input, orderId }, serialNumber)} The cause: ${cause.message}`
  return new OutcomeUnknownError(message, {
    operation: input.name,
    login: input.login,
    clientOrderId: input.clientOrderId,
    orderId,
    attempt,
    serialNumber,
    received: record?.received(),
    receivedText: text,
    moneyMayHaveMoved: true,
    cause,
  })
}

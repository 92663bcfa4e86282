import {
  excerpt,
  missingReplyFields,
  type RawReply,
  type Reply,
  readReply,
  requiredReplyFields,
  resolveSigning,
} from '@tillkit/protocol'
import {
  type AnswerDetails,
  AuthenticationRefusedError,
  GatewayFailureError,
  RequestRefusedError,
  UnreadableReplyError,
} from '../errors/errors.js'
import { nameRequest, type RequestSubject, sentence } from '../errors/messages.js'
import type { RawAnswer, ReplyHeaders, Transmission } from '../transport/types.js'
import { parseReply } from './parse-reply.js'
import { receivedText } from './received-text.js'
import { isErrorType, isOtherThanStatus, redactedRecord, wordForAnId } from './record.js'
import { doubtsAboutRefusal, isAuthentication, isTurnedAway } from './refusal.js'
import type { Answered, CallResult, ConcludeInput } from './types.js'

/** An answer and the request it belongs to. */
export interface JudgeAnswerInput extends ConcludeInput {
  readonly transmission: Extract<Transmission, { kind: 'answered' }>
}

/**
 * Judges an answer. Which error is a refusal is a table in `refusal.ts`.
 *
 * @see Interface specification, sections 4 and 7
 */
export function judgeAnswer(input: JudgeAnswerInput): CallResult {
  const { transmission, subject } = input
  const { answer } = transmission
  const { httpStatus } = answer
  if (httpStatus >= 300 && httpStatus < 400) {
    return unreadable(input, 'is a redirect, and redirects are never followed', readText(input))
  }
  const parsed = parseReply(answer, { scrubber: input.scrubber, profile: input.settings.profile })
  if (parsed.kind === 'unreadable') {
    const read = readText(input)
    const isReadRefused = subject.row.effect === 'reads' && isAuthentication(httpStatus)
    return isReadRefused ? authenticationRefused(input, read) : unreadable(input, parsed.problem, read)
  }
  return judgeRecord(input, parsed.raw)
}

/** What every result of a record carries. */
interface Read extends Answered {
  readonly httpStatus: number
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
}

function judgeRecord(input: JudgeAnswerInput, raw: RawReply): CallResult {
  const { transmission, settings } = input
  const { row, clientOrderId, orderId } = input.subject
  const { httpStatus } = transmission.answer
  const { profile } = settings
  // Every record has the fields of an error besides its own.
  const reply = readReply(raw, { record: row.response, profile })
  const isError = httpStatus >= 400 || isErrorType(reply, profile)
  const read = readCommon(input, reply)
  if (belongsToAnotherOrder(input.subject, reply)) {
    return unreadable(input, 'is about another order', {
      ...read,
      record: read.record?.without('orderId', 'serialNumber'),
    })
  }
  const noId = wordForAnId(reply)
  if (noId !== undefined)
    return unreadable(input, 'has a word that is no id in place of one', {
      ...read,
      record: read.record?.without(noId),
    })
  if (!isError && httpStatus === 200) {
    return judgeSuccess(input, { read, reply })
  }
  if (!isError) return unreadable(input, 'has a status that the interface does not have', read)
  if (httpStatus >= 500) return gatewayFailure(input, read)
  const doubts = doubtsAboutRefusal({
    effect: row.effect,
    clientOrderId,
    orderId,
    sent: input.values.map(({ value }) => value),
    reply,
    httpStatus,
    profile,
  })
  if (doubts === undefined) {
    return isAuthentication(httpStatus) ? authenticationRefused(input, read) : requestRefused(input, read)
  }
  if (doubts === 'failure') return gatewayFailure(input, read)
  const { problem, isOfAnother = false } = doubts
  return unreadable(input, problem, isOfAnother ? { ...read, record: read.record?.without('orderId') } : read)
}

/** Requests carry the ids of their order, and so do replies to them. One with other ids answers another request. */
function belongsToAnotherOrder({ clientOrderId, orderId }: RequestSubject, reply: Reply): boolean {
  const differs = (ours: string | undefined, theirs: string | undefined) =>
    ours !== undefined && theirs !== undefined && ours !== theirs
  return differs(clientOrderId, reply.clientOrderId) || differs(orderId, reply.orderId)
}

function readText({ transmission, settings, scrubber }: JudgeAnswerInput): Read {
  const { answer } = transmission
  const text = receivedText(answer, { profile: settings.profile, scrubber, isCut: answer.isTooLong })
  return { httpStatus: answer.httpStatus, date: dateOf(answer), receivedText: text }
}

/** How much of what the gateway says is kept, in characters. */
const most = 1000

function readCommon({ transmission, settings, scrubber }: JudgeAnswerInput, reply: Reply): Read {
  const { answer } = transmission
  const { errorCode, errorMessage } = reply
  return {
    httpStatus: answer.httpStatus,
    date: dateOf(answer),
    record: redactedRecord(reply, { scrubber, profile: settings.profile }),
    errorCode: errorCode === undefined ? undefined : excerpt(errorCode, { scrubber, most }),
    errorMessage: errorMessage === undefined ? undefined : excerpt(errorMessage, { scrubber, most }),
  }
}

const dateOf = ({ headers: { date } }: RawAnswer): string | undefined => (typeof date === 'string' ? date : undefined)

function judgeSuccess(
  input: JudgeAnswerInput,
  { read, reply }: { readonly read: Read; readonly reply: Reply },
): CallResult {
  if (isOtherThanStatus(reply, { row: input.subject.row, settings: input.settings }))
    return unreadable(input, 'is of a type that answers another operation', read)
  const { response } = input.subject.row
  const missing = missingReplyFields(reply, requiredReplyFields(response))
  if (missing.length > 0) {
    const expected = typeof response === 'object' ? 'reply of this operation' : response
    return unreadable(input, `lacks ${missing.join(', ')}, so it is no ${expected}`, read)
  }
  return { kind: 'answered', reply, answered: read }
}

function unreadable(
  input: JudgeAnswerInput,
  problem: string,
  read: Read = { httpStatus: input.transmission.answer.httpStatus },
): CallResult {
  const hint = isAuthentication(read.httpStatus)
    ? ` Login${isTimed(input) ? ', key or clock' : ' or key'} may be wrong.${aboutClock(input)}`
    : ''
  const message = `The answer to ${name(input)} (HTTP ${read.httpStatus}) ${problem}.${said(read)}${hint}`
  return { kind: 'no-answer', answered: read, error: new UnreadableReplyError(message, details(input, read)) }
}

function gatewayFailure(input: JudgeAnswerInput, read: Read): CallResult {
  const message = `The gateway failed on ${name(input)} (HTTP ${read.httpStatus}).${said(read)} Whether it acted is not known.`
  return { kind: 'no-answer', answered: read, error: new GatewayFailureError(message, details(input, read)) }
}

function requestRefused(input: JudgeAnswerInput, read: Read): CallResult {
  const nothingDone = input.subject.row.effect === 'creates' ? 'made no order of it' : 'did nothing'
  const message =
    `The gateway refused ${name(input)} (HTTP ${read.httpStatus}) and ${nothingDone}.${said(read)} ` +
    `${cureOf(read.httpStatus)}; this says nothing about earlier attempts.`
  const error = new RequestRefusedError(message, { ...details(input, read), moneyMayHaveMoved: false })
  return { kind: 'refused', answered: read, error }
}

/** What to look at: the request, or where it went and what became of it on the way. */
const cureOf = (httpStatus: number): string =>
  isTurnedAway(httpStatus)
    ? 'Check "baseUrl", the path of the operation, and whether something in between changes method or headers'
    : 'Correct the request'

function authenticationRefused(input: JudgeAnswerInput, read: Read): CallResult {
  const key = schemeOf(input) === 'oauth-rsa-sha256' ? 'privateKey' : 'controlKey'
  const message =
    `The gateway did not accept the authentication of ${name(input)} (HTTP ${read.httpStatus}).${said(read)}` +
    `${aboutClock(input)} Check "login", "${key}" and the endpoint, and that "baseUrl" is the address they are for; client.check() says which is wrong.`
  const error = new AuthenticationRefusedError(message, {
    ...details(input, read),
    moneyMayHaveMoved: false,
    clockDifference: clockOf(input),
  })
  return { kind: 'refused', answered: read, error }
}

const schemeOf = ({ subject, settings }: JudgeAnswerInput) => resolveSigning(subject.row, settings.profile).scheme

/** A control value carries no time, so no clock can spoil it. */
const isTimed = (input: JudgeAnswerInput): boolean => schemeOf(input) !== 'control'

function aboutClock(input: JudgeAnswerInput): string {
  const difference = isTimed(input) ? clockOf(input) : undefined
  return difference === undefined ? '' : ` ${describeClock(difference)}`
}

const clockOf = ({ transmission, settings }: JudgeAnswerInput) =>
  clockDifference(transmission.answer.headers, settings.clock())

const name = (input: JudgeAnswerInput): string => nameRequest(input.subject).replace('The ', 'the ')

const said = ({ errorCode, errorMessage }: Read): string => {
  const parts = [errorCode === undefined ? [] : `code ${errorCode}`, errorMessage ?? []].flat()
  return parts.length === 0 ? '' : ` It said: ${sentence(parts.join(', ').slice(0, 500))}`
}

function details(input: JudgeAnswerInput, read: Read): AnswerDetails {
  const { httpStatus, record, receivedText: text, errorCode, errorMessage } = read
  return {
    operation: input.subject.name,
    login: input.subject.login,
    clientOrderId: input.subject.clientOrderId,
    orderId: record?.orderId() ?? input.subject.orderId,
    moneyMayHaveMoved: input.subject.row.effect !== 'reads',
    httpStatus,
    received: record?.received(),
    receivedText: text,
    errorCode,
    errorMessage,
    serialNumber: record?.serialNumber(),
  }
}

/** Differences below this are not worth a word, in seconds. */
export const noticeable = 30

/**
 * Our clock minus the answer's `Date` header, in whole seconds.
 *
 * @param now Milliseconds since the epoch.
 * @returns `undefined` where there is no such header.
 * @see RFC 9110 section 6.6.1
 */
export function clockDifference(headers: ReplyHeaders, now: number): number | undefined {
  const { date } = headers
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(theirs) ? undefined : Math.round((now - theirs) / 1000)
}

/** One sentence about a difference of clocks. */
export function describeClock(difference: number): string {
  if (Math.abs(difference) < noticeable) return 'Our clock agrees with the gateway’s.'
  const direction = difference > 0 ? 'ahead of' : 'behind'
  return `Our clock is ${Math.abs(difference)} s ${direction} the gateway’s: set it right first, signatures carry the time.`
}

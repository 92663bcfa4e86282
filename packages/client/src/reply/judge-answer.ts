import { excerpt, missingReplyFields, type Reply, readReply, requiredReplyFields, shortMasked } from '@tillkit/protocol'
import {
  type AnswerDetails,
  AuthenticationRefusedError,
  GatewayFailureError,
  RequestRefusedError,
  UnreadableReplyError,
} from '../errors/errors.js'
import { errorIds, mayMoveMoney, nameRequest, type RequestSubject, sentence } from '../errors/messages.js'
import { parseReply } from './parse-reply.js'
import { receivedText } from './received-text.js'
import { isErrorType, isOtherThanStatus, type LeftOut, RedactedRecord, wordForAnId } from './record.js'
import { doubtsAboutRefusal, isAuthentication, isTurnedAway } from './refusal.js'
import { dateOf, httpDate, retryAfterOf } from './reply-times.js'
import type { Answered, AnswerInput, CallResult } from './types.js'

/** Judges an answer. Which error is a refusal is a table in `refusal.ts`. @see Interface specification, sections 4 and 7 */
export function judgeAnswer(input: AnswerInput): CallResult {
  const { answer, scrubber, context } = input
  const { httpStatus } = answer
  if (httpStatus >= 300 && httpStatus < 400) {
    return unreadable(input, 'is a redirect, and redirects are never followed', readText(input))
  }
  const { plan } = context
  const { response } = plan.row
  const ownNames = typeof response === 'object' ? Object.values(response) : []
  const parsed = parseReply(answer, { scrubber, profile: plan.profile, ownNames })
  if (parsed.kind === 'unreadable') {
    const read = readText(input)
    if (busy.has(httpStatus)) return gatewayFailure(input, read, ` The answer ${parsed.problem}.`)
    const isReadRefused = plan.row.effect === 'reads' && isAuthentication(httpStatus)
    return isReadRefused ? authenticationRefused(input, read) : unreadable(input, parsed.problem, read)
  }
  // Every record has the fields of an error besides its own.
  return judgeRecord(input, readReply(parsed.raw, { record: response, profile: plan.profile }))
}

function judgeRecord(input: AnswerInput, reply: Reply): CallResult {
  const { subject, plan } = input.context
  const { httpStatus } = input.answer
  const read = readRecord(input, reply)
  if (belongsToAnotherOrder(subject, reply)) {
    return unreadable(input, 'is about another order', without(read, 'orderId', 'serialNumber'))
  }
  const noId = wordForAnId(reply)
  if (noId !== undefined) return unreadable(input, 'has a word that is no id in place of one', without(read, noId))
  const isError = httpStatus >= 400 || isErrorType(reply, plan.profile)
  if (!isError && httpStatus === 200) return judgeSuccess(input, reply, read)
  if (!isError) return unreadable(input, 'has a status that the interface does not have', read)
  const doubts = httpStatus >= 500 ? 'failure' : doubtsAboutRefusal(reply, input)
  if (doubts === undefined) {
    return isAuthentication(httpStatus) ? authenticationRefused(input, read) : requestRefused(input, read)
  }
  if (doubts === 'failure') return gatewayFailure(input, read)
  return unreadable(input, doubts.problem, doubts.isOfAnother === true ? without(read, 'orderId') : read)
}

const without = (read: Answered, ...fields: readonly LeftOut[]): Answered => ({
  ...read,
  record: read.record?.without(...fields),
})

/** Requests carry the ids of their order, and so do replies to them. One with other ids answers another request. */
function belongsToAnotherOrder({ clientOrderId, orderId }: RequestSubject, reply: Reply): boolean {
  const differs = (ours: string | undefined, theirs: string | undefined) =>
    ours !== undefined && theirs !== undefined && ours !== theirs
  return differs(clientOrderId, reply.clientOrderId) || differs(orderId, reply.orderId)
}

function readText({ answer, context, scrubber }: AnswerInput): Answered {
  const { profile } = context.plan
  const text = receivedText(answer, answer.isTooLong, profile, scrubber)
  return { httpStatus: answer.httpStatus, date: dateOf(answer), receivedText: text }
}

/** How much of what the gateway says is kept, in characters. */
const most = 1000

function readRecord({ answer, context, scrubber }: AnswerInput, reply: Reply): Answered {
  const { errorCode, errorMessage } = reply
  return {
    httpStatus: answer.httpStatus,
    date: dateOf(answer),
    record: new RedactedRecord(reply, scrubber, context.plan.profile),
    errorCode: errorCode === undefined ? undefined : excerpt(errorCode, { scrubber, most }),
    errorMessage: errorMessage === undefined ? undefined : excerpt(errorMessage, { scrubber, most }),
  }
}

function judgeSuccess(input: AnswerInput, reply: Reply, read: Answered): CallResult {
  const { plan } = input.context
  if (isOtherThanStatus(reply, plan)) return unreadable(input, 'is of a type that answers another operation', read)
  const { response } = plan.row
  const missing = missingReplyFields(reply, requiredReplyFields(response))
  if (missing.length === 0) return { kind: 'answered', reply, answered: read }
  const expected = typeof response === 'object' ? 'reply of this operation' : response
  return unreadable(input, `lacks ${missing.join(', ')}, so it is no ${expected}`, read)
}

function unreadable(input: AnswerInput, problem: string, read: Answered): CallResult {
  const { httpStatus } = input.answer
  const hint = isAuthentication(httpStatus)
    ? ` Login${isTimed(input) ? ', key or clock' : ' or key'} may be wrong.${aboutClock(input)}`
    : ''
  const message = `The answer to ${name(input)} (HTTP ${httpStatus}) ${problem}.${said(read)}${hint}`
  return { kind: 'no-answer', answered: read, error: new UnreadableReplyError(message, details(input, read)) }
}

/** Statuses by which a server says that it is too busy, whatever stands in the body. @see RFC 6585 section 4, RFC 9110 section 15.6.4 */
const busy: ReadonlyMap<number, string> = new Map([
  [429, 'too many requests'],
  [503, 'service unavailable'],
])

/** @param more What else is to be said of the answer. */
function gatewayFailure(input: AnswerInput, read: Answered, more = ''): CallResult {
  const { httpStatus } = input.answer
  const why = busy.get(httpStatus)
  const happened =
    why === undefined
      ? `The gateway failed on ${name(input)} (HTTP ${httpStatus}).`
      : `The gateway, or a server in front of it, answered ${name(input)} with "${why}" (HTTP ${httpStatus}).`
  const all = details(input, read)
  const { retryAfter } = all
  const wait = retryAfter === undefined ? '' : ` It asks to wait ${retryAfter} s before the next request.`
  const message = `${happened}${said(read)}${more}${wait} Whether it acted is not known.`
  return { kind: 'no-answer', answered: read, error: new GatewayFailureError(message, all) }
}

function requestRefused(input: AnswerInput, read: Answered): CallResult {
  const { httpStatus } = input.answer
  const { row } = input.context.subject
  const nothingDone = row.effect === 'creates' ? 'made no order of it' : 'did nothing'
  const needsOrder = row.effect === 'changes' || row.response === 'StatusResponse'
  // What to look at: the request, or where it went and what became of it on the way.
  const cure = isTurnedAway(httpStatus)
    ? 'Check "baseUrl", the path of the operation, and whether something in between changes method or headers'
    : `Correct the request${needsOrder ? ifUnknown : ''}`
  const message =
    `The gateway refused ${name(input)} (HTTP ${httpStatus}) and ${nothingDone}.${said(read)} ` +
    `${cure}; this says nothing about earlier attempts.`
  const error = new RequestRefusedError(message, { ...details(input, read), moneyMayHaveMoved: false })
  return { kind: 'refused', answered: read, error }
}

/** What else may be wrong where an order has to be there. */
const ifUnknown =
  ', unless the gateway does not know the order: ' +
  'then another gateway made it, or this one has forgotten it, as a fake gateway does when its process ends'

function authenticationRefused(input: AnswerInput, read: Answered): CallResult {
  const key = input.context.plan.signing.scheme === 'oauth-rsa-sha256' ? 'privateKey' : 'controlKey'
  const message =
    `The gateway did not accept the authentication of ${name(input)} (HTTP ${input.answer.httpStatus}).${said(read)}` +
    `${aboutClock(input)} Check "login", "${key}" and the endpoint, and that "baseUrl" is the address they are for; ` +
    'client.check() says which is wrong.'
  const error = new AuthenticationRefusedError(message, {
    ...details(input, read),
    moneyMayHaveMoved: false,
    clockDifference: clockOf(input),
  })
  return { kind: 'refused', answered: read, error }
}

/** A control value carries no time, so no clock can spoil it. */
const isTimed = ({ context }: AnswerInput): boolean => context.plan.signing.scheme !== 'control'

function aboutClock(input: AnswerInput): string {
  const difference = isTimed(input) ? clockOf(input) : undefined
  return difference === undefined ? '' : ` ${describeClock(difference)}`
}

const clockOf = ({ answer, context }: AnswerInput) => clockDifference(dateOf(answer), context.settings.clock())

const name = ({ context }: AnswerInput): string => nameRequest(context.subject).replace('The ', 'the ')

/** What the gateway said, as a sentence. */
export function said({ errorCode, errorMessage }: Pick<Answered, 'errorCode' | 'errorMessage'>): string {
  const parts = [errorCode === undefined ? [] : `code ${errorCode}`, errorMessage ?? []].flat()
  return parts.length === 0 ? '' : ` It said: ${sentence(shortMasked(parts.join(', '), 500))}`
}

function details({ answer, context: { subject, settings } }: AnswerInput, read: Answered): AnswerDetails {
  const { record, receivedText: text, errorCode, errorMessage } = read
  return {
    ...errorIds(subject),
    orderId: record?.orderId() ?? subject.orderId,
    moneyMayHaveMoved: mayMoveMoney(subject.row),
    httpStatus: answer.httpStatus,
    received: record?.received(),
    receivedText: text,
    errorCode,
    errorMessage,
    serialNumber: record?.serialNumber(),
    retryAfter: retryAfterOf(answer, settings.clock),
  }
}

/** Differences below this are not worth a word, in seconds. */
export const noticeable = 30

/**
 * Our clock minus the answer's `Date` header, in whole seconds.
 *
 * @param now Milliseconds since the epoch.
 * @see RFC 9110 section 6.6.1
 */
export function clockDifference(date: string | undefined, now: number): number | undefined {
  const theirs = httpDate(date ?? '')
  return theirs === undefined ? undefined : Math.round((now - theirs) / 1000)
}

/** One sentence about a difference of clocks. */
export function describeClock(difference: number): string {
  if (Math.abs(difference) < noticeable) return 'Our clock agrees with the gateway’s.'
  const direction = difference > 0 ? 'ahead of' : 'behind'
  return `Our clock is ${Math.abs(difference)} s ${direction} the gateway’s: set it right first, signatures carry the time.`
}

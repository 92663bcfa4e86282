/**
 * What counts as a refusal: an error record that says that nothing was done, and nothing else.
 *
 * Of a request that creates or changes, by HTTP status and by what the record holds:
 *
 * | HTTP status                  | Record                      | Also in it                                  | creates | changes |
 * | ---------------------------- | --------------------------- | ------------------------------------------- | ------- | ------- |
 * | below 500                    | `validation-error`          | nothing, or the merchant's id as it was sent | refused | refused |
 * | 401, 403, 404, 405, 406, 415 | `validation-error`, `error` | the same                                    | refused | refused |
 * | one of these                 | the same                    | the order id that was sent                  | unknown | refused |
 * | one of these                 | the same                    | an id that was not sent, a word for an id   | unknown | unknown |
 * | one of these                 | the same                    | an address, `html`, an approval code        | unknown | unknown |
 * | one of these                 | the same                    | a status word that is approved or not final | unknown | unknown |
 * | any other                    | `error`                     | anything                                    | unknown | unknown |
 * | any                          | none, or any other          | anything                                    | unknown | unknown |
 * | 3xx, 500 and above           | any                         | anything                                    | unknown | unknown |
 * | any                          | in another media type       | anything                                    | unknown | unknown |
 *
 * The six statuses say by themselves that the request was turned away before it was looked at: for its signature, path,
 * method or media type. That is why the record `error`, which elsewhere does not say whether the gateway acted, is enough.
 *
 * @module
 */
import { finalOutcome, type RawReply, type Reply, type WireProfile } from '@tillkit/protocol'
import type { CallContext, OperationPlan } from '../request/types.js'
import { otherSpellings, plainName } from './record.js'
import type { AnswerInput } from './types.js'

const turnedAway: readonly number[] = [401, 403, 404, 405, 406, 415]

/** Whether an HTTP status says by itself that the request was not let in. */
export const isTurnedAway = (httpStatus: number): boolean => turnedAway.includes(httpStatus)

/** Whether a status is about who asks: signature, login or key. */
export const isAuthentication = (httpStatus: number): boolean => httpStatus === 401 || httpStatus === 403

/**
 * Why an error record is no refusal.
 *
 * @returns undefined where it is one; `failure` where it is the gateway's record of its own failure; else what is wrong
 * with it, to complete "the answer …", and whether its ids are not to be believed.
 */
export function doubtsAboutRefusal(
  reply: Reply,
  input: AnswerInput,
): undefined | 'failure' | { readonly problem: string; readonly isOfAnother?: boolean } {
  const { profile, row } = input.context.plan
  const { httpStatus } = input.answer
  const ids = doubtsAboutIds(reply, input.context)
  if (ids !== undefined) return ids
  const more = namesAnotherRecord(reply, profile) || (row.effect !== 'reads' && bringsMore(reply.raw, profile))
  if (!more && saysRefusal(reply, httpStatus, input.context.plan)) return undefined
  if (reply.type === profile.replyTypes.value.ServerErrorResponse && !isTurnedAway(httpStatus)) return 'failure'
  return { problem: 'is no validation error that says only that' }
}

/** Whether the record and its HTTP status say that the request was refused. A question loses nothing by being called so. */
function saysRefusal(
  { type, errorCode, errorMessage }: Reply,
  httpStatus: number,
  { profile, row }: OperationPlan,
): boolean {
  const { ValidationErrorResponse, ServerErrorResponse } = profile.replyTypes.value
  if (type === ValidationErrorResponse) return true
  if (type === ServerErrorResponse && isTurnedAway(httpStatus)) return true
  if (row.effect !== 'reads') return false
  const saysError = type === ServerErrorResponse || errorCode !== undefined || errorMessage !== undefined
  return isAuthentication(httpStatus) || (httpStatus === 400 && saysError)
}

function doubtsAboutIds(reply: Reply, { subject, plan, request }: CallContext) {
  const { clientOrderId, orderId } = subject
  const { effect } = plan.row
  const isRead = effect === 'reads'
  const spelled = otherSpellings(reply.raw, plan.profile, clientOrderId)
  if (spelled.isOfAnother || (!isRead && clientOrderId === undefined && reply.clientOrderId !== undefined))
    return { problem: 'is about another order', isOfAnother: true }
  if (isRead) return undefined
  const isEcho = (id: string): boolean => effect === 'changes' && id === orderId
  if (reply.orderId !== undefined && !isEcho(reply.orderId))
    return { problem: 'is an error and yet carries an order id: an order exists' }
  if (spelled.orderIds.some(id => !isEcho(id)))
    return { problem: 'is an error and yet carries what reads like an order id: an order may exist' }
  // What of the request is in the reply again is an echo.
  if (madeIds(reply.raw, plan.profile).some(id => !request.values.some(({ value }) => value === id)))
    return { problem: 'is an error and yet carries an id that was not sent: something may have been made' }
  return undefined
}

/**
 * Ids of what operations make besides orders, and of what a processor was asked to do, under other spellings too:
 * requests write `cardrefid`.
 */
function madeIds(raw: RawReply, { replyFields: { value } }: WireProfile): readonly string[] {
  const made = [...value.cardRefId, ...value.uniqueCardRefId, ...value.recurringPaymentId]
  const names = [...made, ...value.processorTxId, ...value.processorRrn, ...value.receiptId].map(plainName)
  return Object.keys(raw).flatMap(name => (names.includes(plainName(name)) ? (present(raw, name) ?? []) : []))
}

/** Whether a record has what only a request that was taken brings: an address to go to, a page, an approval code. */
function bringsMore(raw: RawReply, { replyFields: { value } }: WireProfile): boolean {
  const names = [...value.redirectUrl, ...value.redirectTo, ...value.html, ...value.approvalCode]
  return Object.keys(raw).some(
    name => present(raw, name) !== undefined && (names.includes(name) || brought.test(plainName(name))),
  )
}

/** The same under other spellings. */
const brought = /(?:ur[il]|redirectto|html|approvalcode)$/

const present = (raw: RawReply, name: string): string | undefined =>
  (Object.hasOwn(raw, name) ? raw[name]?.trim() : undefined) || undefined

/**
 * Whether an error contradicts itself: its status word is approved or not final, or its record is one that answers a request
 * that was taken.
 */
function namesAnotherRecord({ type, status, raw }: Reply, profile: WireProfile): boolean {
  const { ValidationErrorResponse, ServerErrorResponse, ...taken } = profile.replyTypes.value
  const isErrorRecord = type === ValidationErrorResponse || type === ServerErrorResponse
  if (!isErrorRecord && Object.values(taken).some(each => each === type)) return true
  const others = Object.keys(raw).filter(name => anyStatus.test(plainName(name)))
  return [status, ...others.map(name => present(raw, name))].some(word => {
    const ended = word === undefined ? 'error' : finalOutcome(word, profile)
    return ended === undefined || ended === 'approved'
  })
}

/** A status word under other spellings. */
const anyStatus = /^(?:order|transaction)?status$/

/**
 * What a reply says it is, by its `type` and its status word, and whether that fits the answer it came in.
 *
 * @module
 */
import { type AnyOperation, finalOutcome, type Reply, type WireProfile } from '@tillkit/protocol'

/** Some hosts send error records with HTTP 200; their `type` tells. */
export function isErrorType({ type }: Reply, { replyTypes: { value } }: WireProfile): boolean {
  return type !== undefined && (type === value.ValidationErrorResponse || type === value.ServerErrorResponse)
}

/**
 * A validation error, by its type or, where it says that it is some error at all, by the HTTP status that stands for one.
 */
export function isRefusal(
  reply: Reply,
  { httpStatus, profile }: { readonly httpStatus: number; readonly profile: WireProfile },
): boolean {
  const { type, errorCode, errorMessage } = reply
  if (type === profile.replyTypes.value.ValidationErrorResponse) return true
  const saysError = isErrorType(reply, profile) || errorCode !== undefined || errorMessage !== undefined
  return httpStatus === 400 && saysError
}

/**
 * Whether an error contradicts itself: its record speaks of something approved or under way, or is one of those that
 * answer a request that was taken. A request is not called refused on the HTTP status alone then.
 */
export function speaksOfMore({ type, status }: Reply, profile: WireProfile): boolean {
  const { ValidationErrorResponse, ServerErrorResponse, ...taken } = profile.replyTypes.value
  const isErrorRecord = type === ValidationErrorResponse || type === ServerErrorResponse
  if (!isErrorRecord && Object.values(taken).some(each => each === type)) return true
  const ended = status === undefined ? 'error' : finalOutcome(status, profile)
  return ended === undefined || ended === 'approved'
}

/**
 * Whether the answer to a question is the record of something else. Outcomes rest on status replies, so one that says of
 * itself that it accepts a request is none, whatever its status word. A type that no record has is left to the gateway.
 */
export function isOtherThanStatus(
  { type }: Reply,
  { row, settings }: { readonly row: AnyOperation; readonly settings: { readonly profile: WireProfile } },
): boolean {
  if (row.response !== 'StatusResponse') return false
  const { StatusResponse, ...others } = settings.profile.replyTypes.value
  return type !== StatusResponse && Object.values(others).some(each => each === type)
}

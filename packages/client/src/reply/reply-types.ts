/**
 * What a reply says it is by its `type`, and whether that fits the answer it came in.
 *
 * @module
 */
import type { AnyOperation, Reply, WireProfile } from '@tillkit/protocol'

/** Some hosts send error records with HTTP 200; their `type` tells. */
export function isErrorType({ type }: Reply, { replyTypes: { value } }: WireProfile): boolean {
  return type !== undefined && (type === value.ValidationErrorResponse || type === value.ServerErrorResponse)
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

/**
 * Refusals of a signed request.
 *
 * @module
 */

/** Why a signed request is refused. */
export type AuthorizationRefusal =
  | 'missing-header'
  | 'malformed-header'
  | 'missing-parameter'
  | 'repeated-parameter'
  | 'unsupported-version'
  | 'unsupported-method'
  | 'malformed-timestamp'
  | 'stale-timestamp'
  | 'malformed-signature'
  | 'oauth-outside-header'
  | 'unreadable-request'
  | 'mismatch'
  | 'repeated-nonce'

/** A refusal, its reason for programs and its explanation for people. */
export interface Refused<Reason extends string> {
  readonly verified: false
  readonly reason: Reason
  readonly explanation: string
}

/** Makes a refusal. */
export const refuse = <const Reason extends AuthorizationRefusal>(
  reason: Reason,
  explanation: string,
): Refused<Reason> => ({ verified: false, reason, explanation })

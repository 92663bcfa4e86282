/**
 * The scheme an operation is signed with, once the wire profile has filled what the specification leaves open.
 *
 * @module
 */
import type { Signing } from '../operations/operation.js'
import type { WireProfile } from './profile.js'

/** A scheme with nothing left open. Items are field or credential names. */
export type ResolvedSigning =
  | { readonly scheme: 'control'; readonly items: readonly string[] }
  | { readonly scheme: 'oauth-hmac-sha1' }
  | { readonly scheme: 'oauth-rsa-sha256' }

/** The scheme of `operation` under `profile`. @see Interface specification, section 5 */
export function resolveSigning(
  operation: { readonly signing: ResolvedSigning | Extract<Signing<never>, { scheme: 'profile' }> },
  profile: WireProfile,
): ResolvedSigning {
  const { signing } = operation
  return signing.scheme === 'profile' ? profile[signing.entry].value : signing
}

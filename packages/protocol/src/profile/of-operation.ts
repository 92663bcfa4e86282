/**
 * What a row of the table and the wire profile together say of an operation: its scheme, its login, its longest values.
 *
 * @module
 */
import type { Signing } from '../operations/operation.js'
import type { WireProfile } from './types.js'

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

/** What the answer is looked up in: an operation's row, and the profile's list. */
export interface LoginSource {
  readonly operation: { readonly name: string; readonly loginInBody?: boolean }
  readonly profile: { readonly loginInBody: { readonly value: readonly string[] } }
}

/** Whether the body of an operation also carries the merchant login: as its row says, else as the profile lists it. */
export const carriesLogin = ({ operation, profile }: LoginSource): boolean =>
  operation.loginInBody ?? profile.loginInBody.value.includes(operation.name)

/** What a longest value is looked up with: an operation's row, and the profile's tables. */
export interface MaxLengthSource {
  readonly operation: { readonly name: string }
  readonly profile: {
    readonly maxLengths: { readonly value: { readonly [field: string]: number } }
    readonly operationMaxLengths: {
      readonly value: { readonly [operation: string]: { readonly [field: string]: number } }
    }
  }
}

/** A value that is longer than the gateway takes. In characters, as a person counts them: an emoji is one. */
export interface ExcessLength {
  readonly length: number
  readonly most: number
}

/** The most characters `field` may have in an operation: the operation's own number, else the common one. */
export function maxLength(field: string, { operation, profile }: MaxLengthSource): number | undefined {
  const own = ownValue(profile.operationMaxLengths.value, operation.name)
  return (own === undefined ? undefined : ownValue(own, field)) ?? ownValue(profile.maxLengths.value, field)
}

/** How much `value` is too long for `field` of an operation; `undefined` when it is not, or no limit is known. */
export function excessLength(
  { field, value }: { readonly field: string; readonly value: string },
  source: MaxLengthSource,
): ExcessLength | undefined {
  const most = maxLength(field, source)
  // Characters are never more than UTF-16 units, so most values need no counting.
  if (most === undefined || value.length <= most) return undefined
  const length = [...value].length
  return length > most ? { length, most } : undefined
}

/** A field called `constructor` has no limit. */
const ownValue = <Value>(table: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

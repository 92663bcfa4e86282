/**
 * What a row of the table and the wire profile together say of an operation: its scheme, its login, its wire names, its longest
 * values.
 *
 * @module
 */
import { ownValue, wireNames } from '../operations/fields.js'
import type { AnyOperation } from '../operations/operation.js'
import type { WireProfile } from './types.js'

/** A scheme with nothing left open. Items are field or credential names. */
export type ResolvedSigning = Exclude<AnyOperation['signing'], { scheme: 'profile' }>

/** The scheme of `operation` under `profile`. @see Interface specification, section 5 */
export function resolveSigning({ signing }: Pick<AnyOperation, 'signing'>, profile: WireProfile): ResolvedSigning {
  return signing.scheme === 'profile' ? profile[signing.entry].value : signing
}

/** The columns of an operation's row and the entries of the profile that an answer is looked up in. */
interface Source<Column extends keyof AnyOperation, Entry extends keyof WireProfile> {
  readonly operation: Pick<AnyOperation, 'name' | Column>
  readonly profile: Pick<WireProfile, Entry>
}

/** Whether the body of an operation also carries the merchant login: as its row says, else as the profile lists it. */
export const carriesLogin = ({ operation, profile }: Source<'loginInBody', 'loginInBody'>): boolean =>
  operation.loginInBody ?? profile.loginInBody.value.includes(operation.name)

/**
 * The name `field` has in the body of an operation: the profile's for this operation, else the operation's own, else
 * the common one.
 *
 * @returns `undefined` for a field that has none; it can only be sent through `extra`.
 */
export function wireName(field: string, { operation, profile }: Source<'wireNames', 'fieldNames'>): string | undefined {
  return (
    ownValue(ownValue(profile.fieldNames.value, operation.name), field) ??
    ownValue(operation.wireNames, field) ??
    ownValue(wireNames, field)
  )
}

type LengthSource = Source<'name', 'maxLengths' | 'operationMaxLengths'>

/** The most characters `field` may have in an operation: the operation's own number, else the common one. */
export function maxLength(field: string, { operation, profile }: LengthSource): number | undefined {
  const own = ownValue(profile.operationMaxLengths.value, operation.name)
  return ownValue(own, field) ?? ownValue(profile.maxLengths.value, field)
}

/**
 * How much `value` is too long for `field` of an operation; `undefined` when it is not, or no limit is known. In characters as
 * a person counts them: an emoji is one.
 */
export function excessLength(
  { field, value }: { readonly field: string; readonly value: string },
  source: LengthSource,
) {
  const most = maxLength(field, source)
  // Characters are never more than UTF-16 units, so most values need no counting.
  if (most === undefined || value.length <= most) return undefined
  const length = [...value].length
  return length > most ? { length, most } : undefined
}

/**
 * Longest values: how many characters the gateway takes in a field of an operation.
 *
 * See adr/0013-which-lengths-are-checked.md.
 *
 * @module
 */

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

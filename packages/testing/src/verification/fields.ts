/**
 * Fields of a request: from wire names to the names of the request records.
 *
 * @module
 */
import { type AnyOperation, type WireProfile, wireName, wireNames } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'

/** Values by field name, trimmed as the service trims them. */
export type Fields = Readonly<Record<string, string | undefined>>

/** What wire names are looked up with. */
export interface FieldSource {
  readonly row: AnyOperation
  readonly profile: WireProfile
}

/** Takes the known fields out of a form body. A field that is sent empty counts as left out. */
export function readFields(parameters: readonly Parameter[], source: FieldSource): Fields {
  const names = fieldsByWireName(source)
  const fields: Record<string, string> = {}
  for (const [wire, raw] of parameters) {
    const value = raw.trim()
    if (value === '') continue
    for (const field of names.get(wire) ?? []) fields[field] = value
  }
  return fields
}

/** What a field is called in the body of an operation, for messages. */
export const fieldName = (field: string, { row, profile }: FieldSource): string =>
  wireName(field, { operation: row, profile }) ?? field

type FieldNames = ReadonlyMap<string, readonly string[]>

/** Kept for as long as the operation and the profile are: each request would look up every name there is. */
const kept = new WeakMap<WireProfile, WeakMap<AnyOperation, FieldNames>>()

function fieldsByWireName({ row, profile }: FieldSource): FieldNames {
  const ofProfile = kept.get(profile) ?? new WeakMap<AnyOperation, FieldNames>()
  kept.set(profile, ofProfile)
  const known = ofProfile.get(row)
  if (known !== undefined) return known
  const all = [wireNames, row.wireNames ?? {}, profile.fieldNames.value[row.name] ?? {}].flatMap(Object.keys)
  const names = new Map<string, readonly string[]>()
  for (const field of new Set(all)) {
    const wire = wireName(field, { operation: row, profile })
    if (wire !== undefined) names.set(wire, [...(names.get(wire) ?? []), field])
  }
  ofProfile.set(row, names)
  return names
}

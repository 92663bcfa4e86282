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
export function readFields(parameters: readonly Parameter[], { row, profile }: FieldSource): Fields {
  const names = new Set([
    ...Object.keys(wireNames),
    ...Object.keys(row.wireNames ?? {}),
    ...Object.keys(profile.fieldNames.value[row.name] ?? {}),
  ])
  const values = new Map(parameters)
  const fields = [...names].flatMap(field => {
    const wire = wireName(field, { operation: row, profile })
    const value = wire === undefined ? undefined : values.get(wire)?.trim()
    return value ? [[field, value] as const] : []
  })
  return Object.fromEntries(fields)
}

/** What a field is called in the body of an operation, for messages. */
export const fieldName = (field: string, { row, profile }: FieldSource): string =>
  wireName(field, { operation: row, profile }) ?? field

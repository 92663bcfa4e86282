import { type AnyOperation, type WireProfile, wireName, wireNames } from '@tillkit/protocol'
import { decodeForm, type Parameter } from '@tillkit/signing'
import type { Fields } from '../state/gateway-state.js'

export interface FieldSource {
  readonly row: AnyOperation
  readonly profile: WireProfile
}

/**
 * Takes the known fields out of a form body. A field that is sent empty counts as left out. A field that the profile only assumes
 * to have another name is also taken under that of the specification.
 */
export function readFields(parameters: readonly Parameter[], source: FieldSource): Fields {
  const { row, profile } = source
  const renamed = Object.keys({ ...row.wireNames, ...profile.fieldNames.value[row.name] })
  const fields: Record<string, string> = {}
  for (const [wire, raw] of parameters) {
    const value = raw.trim()
    if (value === '') continue
    for (const field of [...(commonFields.get(wire) ?? []), ...renamed]) {
      if (wireName(field, { operation: row, profile }) === wire) fields[field] = value
    }
  }
  for (const { field, value } of fieldsOfSpecification(parameters, source)) fields[field] ??= value
  return fields
}

/**
 * Fields that came under the name that the specification has for them, where the profile assumes another one.
 *
 * @see Interface specification, section 2
 */
export function fieldsOfSpecification(parameters: readonly Parameter[], { row, profile }: FieldSource) {
  const { value: names, assumed } = profile.fieldNames
  const renamed = assumed ? Object.entries(names[row.name] ?? {}) : []
  if (renamed.length === 0) return []
  const sent = new Map(parameters)
  return renamed.flatMap(([field, name]) => {
    const specified = fieldName(field, { row, profile: { ...profile, fieldNames: noNames } })
    const value = sent.has(name) ? '' : (sent.get(specified)?.trim() ?? '')
    return value === '' ? [] : [{ field, name, specified, value }]
  })
}

const noNames: WireProfile['fieldNames'] = { value: {}, source: '', assumed: false }

const commonFields: ReadonlyMap<string, readonly string[]> = Object.entries(wireNames).reduce(
  (fields, [field, wire]) => fields.set(wire, [...(fields.get(wire) ?? []), field]),
  new Map<string, readonly string[]>(),
)

/** What a field is called in the body of an operation, for messages. */
export const fieldName = (field: string, { row, profile }: FieldSource): string =>
  wireName(field, { operation: row, profile }) ?? field

const address = ['address1', 'city', 'zipCode', 'country', 'ipAddress', 'orderDesc']

/** One of them is enough. Acquirers may take others that no public document lists. */
const destination: readonly string[] = ['accountNumber', 'creditCardNumber', 'phone']

/** Fields by the name of an operation; of a list of fields one is enough. */
const strictFields: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  SALE: [...address, 'phone'],
  PREAUTH: [...address, 'phone'],
  SALEFORM: [...address, 'phone'],
  PREAUTHFORM: [...address, 'phone'],
  ACCOUNT_VERIFICATION: address,
  ACCOUNT_VERIFICATION_FORM: address,
  REBILL: ['orderDesc', 'ipAddress'],
  PAYOUT: [destination],
  PAYOUT_V4: [destination],
  PAYOUT_V4_CHECK: [destination],
  PAYOUTFORM: ['orderDesc'],
  TRANSFER_V4: ['ipAddress'],
  CREATE_RP_V4: ['orderDesc'],
}

/**
 * What a request lacks of the fields that public documents call required and the specification does not show. Of each entry
 * one field is enough. The acquirer behind an endpoint decides, so the fake only warns unless `strictFields` is set.
 */
export const missingStrictFields = (name: string, fields: Fields): readonly (readonly string[])[] =>
  (strictFields[name] ?? []).map(any => [any].flat()).filter(any => any.every(field => fields[field] === undefined))

/** Each name and value is a copy: a piece of the body would keep all of it in memory, card data included. */
export const decodeBody = (body: Uint8Array): Parameter[] =>
  decodeForm(new TextDecoder('utf-8', { fatal: true }).decode(body)).map(([name, value]) => [copy(name), copy(value)])

/** Shorter texts are copies already. */
const shortestPiece = 13

const copy = (text: string): string => (text.length < shortestPiece ? text : ` ${text}`.slice(1))

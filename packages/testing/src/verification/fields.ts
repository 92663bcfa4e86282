import { type AnyOperation, readMinorUnits, type WireProfile, wireName, wireNames } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError, type Parameter } from '@tillkit/signing'
import type { GatewaySettings } from '../merchants/options.js'
import { refuse } from './refusal.js'

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

/** An amount of a request. */
export interface RequestAmount {
  /** Minor units, above zero. */
  readonly amount: bigint
  /** ISO 4217 code, or one of the profile's `currencyDigits`. */
  readonly currency: string
}

/**
 * Reads amount and currency of a request. As public pages have it, `10.5` is 10.50.
 *
 * @throws {@link RefusedRequest} when either is missing or cannot be right.
 */
export function readAmount(fields: Fields, settings: Pick<GatewaySettings, 'currency' | 'profile'>): RequestAmount {
  const { amount: text, currency } = fields
  if (text === undefined || currency === undefined) {
    const [given, missing] = text === undefined ? ['currency', 'amount'] : ['amount', 'currency']
    refuse(
      'missing-field',
      `There is "${given}" without "${missing}": send both, or neither where both may be left out.`,
    )
  }
  const { profile } = settings
  const own = profile.currencyDigits.value
  if (currencyDigits(currency, own) === undefined) {
    refuse(
      'invalid-field',
      `"currency" is ${JSON.stringify(currency.slice(0, 16))}, no ISO 4217 code such as "EUR". Where the gateway takes ` +
        'another one, give the fake a profile that has its digits: defineProfile({ currencyDigits }).',
    )
  }
  if (settings.currency !== undefined && currency !== settings.currency) {
    refuse('invalid-field', `"currency" is "${currency}"; the currency of this endpoint is "${settings.currency}".`)
  }
  const amount = minorUnits(text, { currency, profile })
  if (amount === undefined) {
    refuse(
      'invalid-field',
      `"amount" is ${JSON.stringify(text.slice(0, 24))}; for ${currency} it must look like "${fromMinorUnits('1000', currency, 'iso-4217', own)}": ` +
        'above zero, a point before the fraction.',
    )
  }
  return { amount, currency }
}

function minorUnits(
  text: string,
  { currency, profile }: { readonly currency: string; readonly profile: WireProfile },
): bigint | undefined {
  try {
    const amount = readMinorUnits(text, currency, profile)
    return amount > 0n ? amount : undefined
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

const address = ['address1', 'city', 'zipCode', 'country', 'ipAddress', 'orderDesc']

/** Any one of them. Acquirers may take others, such as an ewallet of their own, which no public document lists. */
const destination: readonly string[] = ['accountNumber', 'creditCardNumber', 'phone']

/** A field, or several of which one is enough. */
type StrictField = string | readonly string[]

const strictFields: Readonly<Record<string, readonly StrictField[]>> = {
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
 * Lists what a request lacks of it, each as the fields of which one is enough.
 *
 * @param name Name of the operation in the specification.
 */
export const missingStrictFields = (name: string, fields: Fields): readonly (readonly string[])[] =>
  (strictFields[name] ?? []).map(any => [any].flat()).filter(any => any.every(field => fields[field] === undefined))

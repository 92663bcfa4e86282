/**
 * Fields that public documents call required and the specification does not show.
 *
 * The acquirer behind an endpoint decides, so the fake only warns, unless `strictFields` is set.
 *
 * @module
 */
import type { Fields } from './fields.js'

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

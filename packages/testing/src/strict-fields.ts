/**
 * Fields that public documents call required and the specification does not show.
 *
 * The acquirer behind an endpoint decides, so the fake only warns, unless `strictFields` is set.
 *
 * @module
 */
import type { Fields } from './fields.js'

const address = ['address1', 'city', 'zipCode', 'country', 'ipAddress', 'orderDesc']

const strictFields: Readonly<Record<string, readonly string[]>> = {
  SALE: [...address, 'phone'],
  PREAUTH: [...address, 'phone'],
  SALEFORM: [...address, 'phone'],
  PREAUTHFORM: [...address, 'phone'],
  ACCOUNT_VERIFICATION: address,
  ACCOUNT_VERIFICATION_FORM: address,
  REBILL: ['orderDesc', 'ipAddress'],
  PAYOUTFORM: ['orderDesc'],
  TRANSFER_V4: ['ipAddress'],
  CREATE_RP_V4: ['orderDesc'],
}

/**
 * Lists what a request lacks of it.
 *
 * @param name Name of the operation in the specification.
 */
export const missingStrictFields = (name: string, fields: Fields): readonly string[] =>
  (strictFields[name] ?? []).filter(field => fields[field] === undefined)

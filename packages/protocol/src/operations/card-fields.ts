/**
 * Card fields: which fields of requests hold card data, so that nothing that is kept or shown holds them.
 *
 * @module
 */
import { wireNames } from './wire-names.js'

type Field = keyof typeof wireNames

/** Fields that hold a whole card number. */
export const cardNumberFields = [
  'creditCardNumber',
  'destinationCardNo',
  'sendingCardNumber',
] as const satisfies readonly Field[]

/** Fields that hold card data, or what stands for it: with a token of hosted fields anyone could pay. */
export const cardFields = [
  ...cardNumberFields,
  'cardPrintedName',
  'expireMonth',
  'expireYear',
  'cvv2',
  'hostedFieldsToken',
] as const satisfies readonly Field[]

/** Name of a field that holds card data. */
export type CardField = (typeof cardFields)[number]

/** The card field that a wire name stands for, whatever its separators and letter case: `Expire-Month`, `expire_month`. */
export function cardFieldOf(wireName: string): CardField | undefined {
  const plain = normalize(wireName)
  return cardFields.find(field => normalize(wireNames[field]) === plain)
}

const normalize = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

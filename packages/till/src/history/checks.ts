import { isNoId } from '@tillkit/protocol'

/** Whether a field has what this release can work with. */
export type Check = (value: unknown) => boolean

/** A check for each field. A field that is missing here is an error for the compiler. */
export type Fields<Of> = { readonly [Field in keyof Of]-?: Check }

/** The same for a member of a union, whose kind is known by then. */
export type Shape<Of> = Fields<Omit<Of, 'kind'>>

/** The greatest time and the greatest number: a sum of two such times is a date as well, and a whole number. */
const most = 2 ** 51

export const isText: Check = value => typeof value === 'string'
export const isWhole: Check = value => Number.isSafeInteger(value) && Number(value) >= 0
export const isCount: Check = value => isWhole(value) && Number(value) <= most
export const isPlace: Check = value => isCount(value) && value !== 0
export const isTrue: Check = value => value === true
export const isAbsent: Check = value => value === undefined

/** Milliseconds of the store's clock, which are whole. */
export const isTime = isCount

/** Milliseconds of the merchant's clock, which may have fractions. */
export const isMoment: Check = value => typeof value === 'number' && value >= 0 && value <= most

/** Keys of outcomes are made of it, and half of a surrogate pair can be in no key. */
export const isName: Check = value => typeof value === 'string' && value.trim() !== '' && isWellFormed(value)
export const isId: Check = value => isName(value) && !isNoId(String(value))

/** Every supported Node.js has the method; the types of ES2023 do not. */
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

export const isMaybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

export const isListOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(each => check(each))

/** One of the words that a table has, or a union, which the compiler compares with the table. */
export const isWordOf =
  <Word extends string>(words: { readonly [Each in Word]: unknown }): Check =>
  value =>
    typeof value === 'string' && Object.hasOwn(words, value)

export const isObjectOf =
  <Of>(fields: Fields<Of>): Check =>
  value =>
    typeof value === 'object' && value !== null && wrongFieldIn(value, fields) === undefined

export function wrongFieldIn(of: object, checks: { readonly [field: string]: Check }): string | undefined {
  const values = of as { readonly [field: string]: unknown }
  for (const field in checks) if (checks[field]?.(values[field]) !== true) return field
  return undefined
}

export const hasKindOf = <Kind extends string>(
  table: { readonly [Each in Kind]: unknown },
  value: unknown,
): value is { readonly kind: Kind } => isWordOf(table)(Reflect.get(Object(value), 'kind'))

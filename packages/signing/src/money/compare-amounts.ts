/**
 * Comparing amounts of replies, which may drop zeros.
 *
 * @module
 */
import { InvalidInputError } from '../errors.js'
import { shown } from '../shown.js'

/**
 * Compares two amounts as decimals: `10.5`, `10.50` and `010.500` are the same. No floating point, no currency.
 *
 * @returns Negative, zero or positive, as for `Array.prototype.sort`.
 * @throws {@link InvalidInputError} when either is no decimal number in plain digits.
 */
export function compareAmounts(a: string, b: string): -1 | 0 | 1 {
  const left = readDecimal(a)
  const right = readDecimal(b)
  if (left === undefined || right === undefined) {
    const wrong = left === undefined ? a : b
    throw new InvalidInputError('amount', `"amount" is ${shown(wrong)} and no amount: write digits, as in "10.50".`)
  }
  const scale = Math.max(left.scale, right.scale)
  const difference = scaled(left, scale) - scaled(right, scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/**
 * Says whether two amounts are the same decimal number. Text that is no amount is the same as nothing, itself included.
 */
export function sameAmount(a: string, b: string): boolean {
  if (readDecimal(a) === undefined || readDecimal(b) === undefined) return false
  return compareAmounts(a, b) === 0
}

interface Decimal {
  readonly digits: bigint
  /** How many of the digits are after the point. */
  readonly scale: number
}

/** Bounded, because replies are read by it: a million digits are no amount. */
function readDecimal(text: string): Decimal | undefined {
  if (typeof text !== 'string' || text.length > 64) return undefined
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale)

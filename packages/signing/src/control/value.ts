import { isWellFormed } from '../encoding/percent-encoding.js'
import { InvalidInputError, InvalidKeyError, quoted, shown } from '../errors.js'
import { nodeCrypto } from '../keys/node-crypto.js'

/** A string for each item, keyed by the item's name. */
export type ControlValues<Items extends readonly string[]> = { readonly [Item in Items[number]]: string }

/** How the SHA-1 digest is written. The specification does not say; public documents use `hex-lower`. */
export type ControlEncoding = 'hex-lower' | 'hex-upper' | 'base64'

/**
 * Joins the values of the items in their order, without a separator, and the control key last.
 *
 * The result holds the control key: never log it. For a printable form see `explainControl`.
 *
 * @param items A row of `controlItems`, or the items of an operation of your own.
 * @param values `amount` in minor units (`'1042'` for 10.42 EUR). `''` for what the request leaves out: `orderId` or
 * `clientOrderId` of status, `amount` with `currency` of capture and return.
 * @throws {@link InvalidInputError} when a value is missing, not a string or holds half of a surrogate pair, or `amount` is
 * not a whole number; `field` is the item.
 * @throws {@link InvalidKeyError} when the control key is empty.
 * @see Interface specification, section 5.1
 */
export function controlString<const Items extends readonly string[]>(
  items: Items,
  values: ControlValues<Items>,
  controlKey: string,
): string {
  if (typeof controlKey !== 'string' || controlKey === '') {
    throw new InvalidKeyError('The control key is empty. Check the setting it is read from.')
  }
  let joined = ''
  // By index: `for … of` takes a sixth longer over a frozen row.
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as string
    const value = (values as Readonly<Record<string, unknown>>)[item]
    if (typeof value !== 'string' || !(item === 'amount' ? minorUnits.test(value) : isWellFormed(value))) {
      throw itemMistake(item, value)
    }
    joined += value
  }
  return joined + controlKey
}

/** A whole number without leading zeros, or nothing. */
const minorUnits = /^(?:0|[1-9]\d*)?$/

function itemMistake(item: string, value: unknown): InvalidInputError {
  if (typeof value !== 'string') {
    return new InvalidInputError(
      item,
      `Control item "${item}" is ${value === undefined ? 'missing' : shown(value)}. Pass a string, or '' for what section 5.1 lets the request leave out.`,
    )
  }
  if (!isWellFormed(value)) {
    return new InvalidInputError(item, `Control item "${item}" holds half of a surrogate pair: it has no UTF-8 form.`)
  }
  return new InvalidInputError(
    item,
    `Control item "amount" is ${quoted(value)}; it must be a whole number of minor units without leading zeros: 10.42 ` +
      'becomes 1042. Convert with toMinorUnits(amount, currency).',
  )
}

/**
 * Computes a control value: the SHA-1 digest of {@link controlString}'s UTF-8 bytes.
 *
 * @example
 * ```ts
 * const values = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }
 * controlValue(controlItems.sale, values, 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20')
 * // 'c6bdd88a78834ef4b863b088827a459f039e8257'
 * ```
 *
 * @param options `encoding`: how the digest is written. Default: `hex-lower`, 40 characters; the specification does
 * not show it.
 * @throws {@link InvalidInputError} {@link InvalidKeyError} as {@link controlString} does.
 * @see Interface specification, section 5.1
 */
export function controlValue<const Items extends readonly string[]>(
  items: Items,
  values: ControlValues<Items>,
  controlKey: string,
  options: { readonly encoding?: ControlEncoding } = {},
): string {
  const { encoding = 'hex-lower' } = options
  const text = controlString(items, values, controlKey)
  const digest = nodeCrypto().hash('sha1', text, encoding === 'base64' ? 'base64' : 'hex')
  return encoding === 'hex-upper' ? digest.toUpperCase() : digest
}

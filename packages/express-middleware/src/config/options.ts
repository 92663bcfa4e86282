/**
 * Checks of options, made when a middleware is built, so that a mistake shows at start and not at the first payment.
 *
 * @module
 */
import { IncomingMessage } from 'node:http'
import type { WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Polling } from '../outcomes/poll.js'

/** Every option of a factory, by name. Typed by its interface, so that none is forgotten. */
export type OptionNames<Options> = { readonly [Option in keyof Required<Options>]: true }

/**
 * Refuses what is no options object, the habit of passing the factory itself to `app.use`, and options that do not exist:
 * a misspelt one would be left out in silence.
 *
 * @throws {TypeError} naming the factory.
 */
export function checkCall(factory: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (options instanceof IncomingMessage) {
    throw new TypeError(`${factory} was called with a request. Write app.use(${factory}({ … })), with the call.`)
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${factory} needs an options object. It has: ${Object.keys(known).join(', ')}.`)
  }
  const unknown = Object.keys(options).find(option => !Object.hasOwn(known, option))
  if (unknown !== undefined) {
    throw new TypeError(`${factory} has no option "${unknown}". It has: ${Object.keys(known).join(', ')}.`)
  }
}

/** @throws {TypeError} when an option that must be a function is not. */
export function checkFunction(option: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Option "${option}" must be a function.`)
}

/** @throws {TypeError} when an option that may be left out is given and no function. */
export function checkOptionalFunction(option: string, value: unknown): void {
  if (value !== undefined) checkFunction(option, value)
}

/**
 * @param least Smallest value allowed. Default: 1.
 * @throws {TypeError} when a given option is no whole number, or too small.
 */
export function checkOptionalCount(option: string, value: unknown, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return
  throw new TypeError(`Option "${option}" must be a whole number of at least ${least}.`)
}

/** @throws {TypeError} when a part of it is wrong. */
export function checkPolling(polling: Polling | undefined): void {
  checkOptionalCount('polling.attempts', polling?.attempts)
  checkOptionalCount('polling.interval', polling?.interval, 0)
  checkOptionalFunction('polling.wait', polling?.wait)
}

/** @throws {TypeError} when there is no control key, or one is empty. */
export function checkControlKeys(controlKeys: ControlKeys): void {
  const list: readonly unknown[] = Array.isArray(controlKeys) ? controlKeys : [controlKeys]
  if (list.length > 0 && list.every(isControlKey)) return
  throw new TypeError(
    'Option "controlKeys" must be the merchant control key, or a list of keys or { label, key }, none of them empty. ' +
      'Check the setting it is read from.',
  )
}

function isControlKey(entry: unknown): boolean {
  if (typeof entry === 'string') return entry !== ''
  if (typeof entry !== 'object' || entry === null) return false
  const { label, key } = entry as { readonly label?: unknown; readonly key?: unknown }
  return typeof label === 'string' && label !== '' && typeof key === 'string' && key !== ''
}

/** Items that a callback or a browser return has a parameter for, each with its names. */
const neededItems: readonly (readonly string[])[] = [['status'], ['orderId'], ['merchantOrderId', 'clientOrderId']]
const knownItems = neededItems.flat()

/**
 * @throws {TypeError} when the profile signs an item that no parameter is known for: nothing would ever verify; or leaves out
 * the status or an order id: what is given out as signed would not be.
 */
export function checkOptionalProfile(
  profile: WireProfile | undefined,
  entry: 'callbackItems' | 'browserReturnItems',
): void {
  if (profile === undefined) return
  const items: readonly string[] = profile[entry]?.value ?? []
  const isCovered = neededItems.every(item => items.some(each => item.includes(each)))
  if (isCovered && items.every(item => knownItems.includes(item))) return
  throw new TypeError(
    `Option "profile" must be a wire profile whose "${entry}" are status, orderId, and merchantOrderId or clientOrderId. ` +
      `Found: ${items.join(', ') || 'none'}. Make it with defineProfile of @tillkit/protocol.`,
  )
}

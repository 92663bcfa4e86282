import { IncomingMessage } from 'node:http'
import { checkOptions, type OptionCheck, type OptionTable, type WireProfile } from '@tillkit/protocol'

/** Checks the options of a factory, and that the factory itself was not passed to `app.use`. @throws {TypeError} */
export function checkCall<Options extends object>(
  factory: string,
  options: Options,
  table: OptionTable<Options>,
): void {
  if (options instanceof IncomingMessage) {
    throw new TypeError(`${factory} was called with a request. Write app.use(${factory}({ … })), with the call.`)
  }
  checkOptions(factory, options, table)
}

export const controlKeysOption: OptionCheck = (controlKeys, name) => {
  const list: readonly unknown[] = Array.isArray(controlKeys) ? controlKeys : [controlKeys]
  if (list.length > 0 && list.every(isControlKey)) return undefined
  return (
    `"${name}" must be the merchant control key, or a list of keys or { label, key }, none of them empty. ` +
    'Check the setting it is read from.'
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
 * A wire profile. Nothing would ever verify if it signed an item that comes in no parameter; and if it left out the status or
 * an order id, `signed` of a callback would hold what is not signed.
 */
export const profileOption =
  (entry: 'callbackItems' | 'browserReturnItems'): OptionCheck =>
  profile => {
    if (profile === undefined) return undefined
    const items: readonly string[] = (profile as WireProfile)[entry]?.value ?? []
    const isCovered = neededItems.every(item => items.some(each => item.includes(each)))
    if (isCovered && items.every(item => knownItems.includes(item))) return undefined
    return (
      `"profile" must be a wire profile whose "${entry}" are status, orderId, and merchantOrderId or clientOrderId. ` +
      `Found: ${items.join(', ') || 'none'}. Make it with defineProfile of @tillkit/protocol.`
    )
  }

/** @throws {TypeError} when there is something wrong, where options are checked at each call. */
export function checkProfile(profile: WireProfile | undefined, entry: 'callbackItems' | 'browserReturnItems'): void {
  const problem = profileOption(entry)(profile, 'profile')
  if (problem !== undefined) throw new TypeError(problem)
}

/** A client that can ask status. */
export const statusClientOption: OptionCheck = (client, name) => {
  const { status } = (client ?? {}) as { readonly status?: unknown }
  if (typeof status === 'function') return undefined
  return `"${name}" must have a method "status", as createClient of @tillkit/client makes it.`
}

/**
 * Addresses that a customer may be sent to.
 *
 * @module
 */

import { isLoopbackHost } from './loopback.js'

/** Which addresses are safe. */
export interface SafeAddressOptions {
  /**
   * Whether http to another host than this machine will do: where the gateway itself is a test gateway that is reached so,
   * in a container for example. Default: false.
   */
  readonly plainHttp?: boolean
}

/** Whether an address is https, or plain http to this very machine, and carries no user name or password. */
export function isSafeAddress(address: URL, { plainHttp = false }: SafeAddressOptions = {}): boolean {
  if (address.username !== '' || address.password !== '') return false
  return (
    address.protocol === 'https:' || (address.protocol === 'http:' && (plainHttp || isLoopbackHost(address.hostname)))
  )
}

/**
 * Addresses that a customer may be sent to.
 *
 * @module
 */

import { isLoopbackHost } from './loopback.js'

/** Whether an address is https, or plain http to this very machine, and carries no user name or password. */
export function isSafeAddress(address: URL): boolean {
  if (address.username !== '' || address.password !== '') return false
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopbackHost(address.hostname))
}

/**
 * Addresses that a customer may be sent to.
 *
 * @module
 */

/** Whether an address is https, or plain http to this very machine, and carries no user name or password. */
export function isSafeAddress(address: URL): boolean {
  if (address.username !== '' || address.password !== '') return false
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address.hostname))
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

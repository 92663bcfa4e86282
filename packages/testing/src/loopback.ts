/**
 * Addresses of this machine.
 *
 * @module
 */

/** Whether an address leads to this machine: `127.0.0.0/8`, `[::1]`, `localhost` and names below it. */
export function isLoopback({ hostname }: URL): boolean {
  return /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]' || /(^|\.)localhost$/.test(hostname)
}

/**
 * Addresses of this machine.
 *
 * @module
 */

/** Whether an address leads to this machine: `127.0.0.0/8`, `[::1]`, `localhost` and names below it. */
export const isLoopback = ({ hostname }: URL): boolean => isLoopbackHost(hostname.replace(/^\[|\]$/g, ''))

/** The same of a host without brackets. */
export const isLoopbackHost = (host: string): boolean =>
  /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(host) || host === '::1' || /(^|\.)localhost\.?$/i.test(host)

/**
 * This very machine, as the host of an address: what stays on it may go without TLS.
 *
 * @module
 */

/**
 * Whether a host leads to this machine: `127.0.0.0/8`, `::1`, `localhost` and names below it.
 *
 * @param host As `URL` has it, or an address without brackets.
 * @see RFC 6761 section 6.3; RFC 6890 section 2.2
 */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(bare) || bare === '::1' || /(?:^|\.)localhost\.?$/i.test(bare)
}

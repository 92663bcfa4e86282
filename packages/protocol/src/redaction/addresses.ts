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

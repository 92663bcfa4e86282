/**
 * Addresses that were parsed before: a client sends most of its requests to a few.
 *
 * @module
 */

/** More than one client's operations and endpoints in most programs; with more, they are parsed anew now and then. */
const most = 256

const remembered = new Map<string, Address>()

/** An address and its parts, which a `URL` works out each time it is asked. */
export interface Address {
  readonly url: Readonly<URL>
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

/** Parses an address, or returns what it was parsed to before. Nobody may change its `url`. */
export function rememberedAddress(address: string): Address {
  const known = remembered.get(address)
  if (known !== undefined) return known
  if (remembered.size >= most) remembered.clear()
  const url = new URL(address)
  const parsed = { url, origin: url.origin, path: `${url.pathname}${url.search}` }
  remembered.set(address, parsed)
  return parsed
}

/**
 * Addresses that were parsed before: a client sends most of its requests to a few.
 *
 * @module
 */

/** More than one client's operations and endpoints in most programs; with more, they are parsed anew now and then. */
const most = 256

const remembered = new Map<string, URL>()

/** Parses an address, or returns what it was parsed to before. Nobody may change it. */
export function rememberedUrl(address: string): Readonly<URL> {
  const known = remembered.get(address)
  if (known !== undefined) return known
  if (remembered.size >= most) remembered.clear()
  const url = new URL(address)
  remembered.set(address, url)
  return url
}

/**
 * Addresses that were parsed before: nearly every request goes to one of a few.
 *
 * @module
 */

/** Most addresses that are kept, and the longest. */
const mostAddresses = 100
const longestAddress = 200

const known = new Map<string, URL>()

/**
 * Parses an address. The URL may be shared: it must not be changed.
 *
 * @returns undefined for what is no address.
 */
export function knownUrl(path: string, base: string): URL | undefined {
  const key = `${base} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before
  const url = URL.canParse(path, base) ? new URL(path, base) : undefined
  if (url === undefined || url.search !== '' || key.length > longestAddress) return url
  if (known.size >= mostAddresses) known.clear()
  known.set(key, url)
  return url
}

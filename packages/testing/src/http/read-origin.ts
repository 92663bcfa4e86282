/**
 * Origins: scheme, host and port of an address.
 *
 * @module
 */

/**
 * Reads an origin.
 *
 * @throws {TypeError} that names the option, for anything else.
 */
export function readOrigin(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '')
    return url.origin
  throw new TypeError(`"${option}" is ${JSON.stringify(text)}; it must be like "https://gateway.test", without a path.`)
}

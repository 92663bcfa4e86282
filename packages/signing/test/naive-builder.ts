/** A second builder of base strings: slow, and following RFC 5849 section 3.4.1 word by word. It shares no code with src. */

/** A request in parts, before anything is normalized. */
export interface RequestParts {
  readonly method: string
  readonly scheme: string
  readonly host: string
  readonly port: string | undefined
  readonly path: string
  /** Decoded. */
  readonly query: readonly (readonly [string, string])[]
  /** Decoded. */
  readonly form: readonly (readonly [string, string])[]
}

/** Section 3.6. */
export const naiveEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Section 3.4.1.2. */
export function naiveAddress({ scheme, host, port, path }: RequestParts): string {
  const lowerScheme = scheme.toLowerCase()
  const isDefault = (lowerScheme === 'http' && port === '80') || (lowerScheme === 'https' && port === '443')
  const shownPort = port === undefined || isDefault ? '' : `:${port}`
  return `${lowerScheme}://${host.toLowerCase()}${shownPort}${path === '' ? '/' : path}`
}

/** Sections 3.4.1.3.1 and 3.4.1.3.2. */
export function naiveParameters({ query, form }: RequestParts): string {
  return [...query, ...form]
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]) => [naiveEncode(name), naiveEncode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Section 3.4.1.1. */
export const naiveBaseString = (parts: RequestParts): string =>
  [parts.method.toUpperCase(), naiveAddress(parts), naiveParameters(parts)].map(naiveEncode).join('&')

/**
 * Addresses that customers are sent to.
 *
 * @module
 */
import { isLoopbackHost, type SafeAddressOptions } from '@tillkit/protocol'

/** An address as a URL, or undefined when it is none. */
export function parseAddress(address: unknown): URL | undefined {
  if (address instanceof URL) return address
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
}

/**
 * Which addresses a customer may be sent to: plain http to other hosts only where the client itself talks to its gateway so,
 * which `createClient` permits in tests with `allowPlainHttp`.
 */
export function addressesFor(client: object): SafeAddressOptions {
  const base = parseAddress((client as { readonly baseUrl?: unknown }).baseUrl)
  return { plainHttp: base?.protocol === 'http:' && !isLoopbackHost(base.hostname) }
}

/** Appends one segment to the path of an address; its query stays, its fragment goes. */
export function withPathSegment(address: URL, segment: string): URL {
  const result = new URL(address)
  result.pathname = `${address.pathname.replace(/\/+$/, '')}/${segment}`
  result.hash = ''
  return result
}

/**
 * A path of our own site in the form a `Location` header takes, or undefined when it would lead anywhere else.
 *
 * Browsers drop tabs and line breaks and take `\` for `/`, so `/\t/elsewhere.example` is another site.
 */
export function sameOriginPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || !/^\/(?!\/)[^\\\s\p{Cc}]*$/u.test(path)) return undefined
  const here = 'https://here.invalid'
  if (!URL.canParse(path, here)) return undefined
  const resolved = new URL(path, here)
  if (resolved.origin !== here || resolved.pathname.startsWith('//')) return undefined
  return `${resolved.pathname}${resolved.search}${resolved.hash}`
}

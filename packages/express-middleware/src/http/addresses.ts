/**
 * Addresses that customers are sent to.
 *
 * @module
 */
import {
  isLoopbackHost,
  isSafeAddress,
  maxLength,
  type OperationName,
  operations,
  type SafeAddressOptions,
  type WireProfile,
} from '@tillkit/protocol'

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

/** @throws {TypeError} when it is no absolute https address; http is taken on loopback, or where the client may use it. */
export function checkReturnUrl(returnUrl: unknown, addresses: SafeAddressOptions): URL {
  const address = parseAddress(returnUrl)
  if (address !== undefined && isSafeAddress(address, addresses)) {
    if (!/\/:[^/]*$/.test(address.pathname)) return address
    throw new TypeError(
      'Option "returnUrl" ends in a parameter, such as "/:state". Leave it out: the state is appended.',
    )
  }
  throw new TypeError(
    'Option "returnUrl" must be, or return, an absolute https address; http on loopback only, and wherever "client" was made with "allowPlainHttp".',
  )
}

/** What the address is made of besides the merchant's own. */
export interface ReturnAddressOptions {
  /** One path segment. */
  readonly state: string
  readonly profile: WireProfile
  /** The operation that is told the address: its limit counts. */
  readonly operation: OperationName
  readonly addresses: SafeAddressOptions
}

/**
 * Value of `redirect_url`.
 *
 * @throws {TypeError} when `returnUrl` is no safe address, or the whole is longer than the gateway takes.
 */
export function returnAddress(
  returnUrl: URL | string,
  { state, profile, operation, addresses }: ReturnAddressOptions,
): string {
  const { href } = withPathSegment(checkReturnUrl(returnUrl, addresses), state)
  const limit = maxLength('redirectUrl', { operation: operations[operation], profile })
  if (limit === undefined || href.length <= limit) return href
  throw new TypeError(
    `The return address has ${href.length} characters with its state, the gateway takes ${limit}. Nothing was sent. Shorten ` +
      'the address, the id of the state secret or the order id; or give "references", which make the state 22 characters.',
  )
}

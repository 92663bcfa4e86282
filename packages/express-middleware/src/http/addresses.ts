import {
  type AsyncCheckoutFormRedirect,
  isLoopbackHost,
  isSafeAddress,
  maxLength,
  type OperationName,
  operations,
  quote,
  type SafeAddressOptions,
  type WireProfile,
} from '@tillkit/protocol'
import { OrderMismatchError, RedirectRefusedError } from '../config/errors.js'

function parseAddress(address: unknown): URL | undefined {
  if (address instanceof URL) return address
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
}

/**
 * Which addresses a customer may be sent to: plain http to other hosts only where the client itself talks to its gateway so,
 * which `createClient` permits in tests with `allowPlainHttp`.
 */
export function addressesFor(client: object): SafeAddressOptions {
  const base = baseOf(client)
  return { plainHttp: base?.protocol === 'http:' && !isLoopbackHost(base.hostname) }
}

const baseOf = (client: object) => parseAddress((client as { readonly baseUrl?: unknown }).baseUrl)

/** An address of the merchant's that a state is appended to. @throws {TypeError} naming the option that holds or returns it. */
export function merchantAddress(option: string, value: unknown, addresses: SafeAddressOptions): URL {
  const address = parseAddress(value)
  if (address === undefined || !isSafeAddress(address, addresses)) {
    throw new TypeError(
      `Option "${option}" must be, or return, an absolute https address; http on loopback only, and wherever "client" was ` +
        'made with "allowPlainHttp".',
    )
  }
  if (!/\/:[^/]*$/.test(address.pathname)) return address
  throw new TypeError(`Option "${option}" ends in a parameter, such as "/:state". Leave it out: the state is appended.`)
}

/** Appends one segment to the path of an address; its query stays, its fragment goes. */
export function withPathSegment(address: URL, segment: string): URL {
  const result = new URL(address)
  result.pathname = `${address.pathname.replace(/\/+$/, '')}/${segment}`
  result.hash = ''
  return result
}

/**
 * Value of `redirect_url`: the merchant's address and the state as one path segment.
 *
 * @param told `operation`: its limit of the length counts.
 * @throws {TypeError} when the whole is longer than the gateway takes.
 */
export function returnAddress(
  address: URL,
  told: { readonly state: string; readonly profile: WireProfile; readonly operation: OperationName },
): string {
  const { state, profile, operation } = told
  const { href } = withPathSegment(address, state)
  const limit = maxLength('redirectUrl', { operation: operations[operation], profile })
  if (limit === undefined || href.length <= limit) return href
  throw new TypeError(
    `The return address has ${href.length} characters with its state, the gateway takes ${limit}. Nothing was sent. Shorten ` +
      'the address, the id of the state secret or the order id.',
  )
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

/**
 * The hosts that customers may be sent to, as a URL writes them: those that are listed, else the one of the client's base
 * address.
 *
 * @throws {TypeError} when there is neither, or an entry is no host.
 */
export function allowedHosts(client: object, listed: readonly string[] | undefined): ReadonlySet<string> {
  const base = baseOf(client)
  const hosts = listed ?? (base === undefined ? [] : [base.host])
  if (!Array.isArray(hosts) || hosts.length === 0 || !hosts.every(isHost)) {
    throw new TypeError(
      'Option "redirectHosts" must list the hosts of the gateway\'s pages, such as "gate.example" or "127.0.0.1:8080", ' +
        'without a scheme or a path. It can be left out only where "client" has a "baseUrl".',
    )
  }
  return new Set(hosts.map(host => new URL(`https://${host}`).host))
}

const isHost = (host: unknown): boolean =>
  typeof host === 'string' && /^[^/?#@\\\s]+$/.test(host) && URL.canParse(`https://${host}`)

/** The address of the hosted form. @throws {@link OrderMismatchError} {@link RedirectRefusedError} where it must not be followed. */
export function redirectTarget(
  reply: AsyncCheckoutFormRedirect,
  clientOrderId: string,
  { hosts, addresses }: { readonly hosts: ReadonlySet<string>; readonly addresses?: SafeAddressOptions },
): string {
  if (reply.clientOrderId !== undefined && reply.clientOrderId !== clientOrderId) {
    throw new OrderMismatchError(
      `The gateway answered the form of order ${quote(clientOrderId)} with one of order ${quote(reply.clientOrderId)}. ` +
        'The customer was not sent there.',
      { status: 502 },
    )
  }
  const address = parseAddress(reply.redirectUrl)
  if (address !== undefined && isSafeAddress(address, addresses) && hosts.has(address.host)) return address.href
  const found = address === undefined ? 'no address' : `${address.protocol}//${address.host}`
  throw new RedirectRefusedError(
    `The gateway wants the customer of order ${quote(clientOrderId)} sent to ${found}. Only https to these hosts is ` +
      `allowed: ${[...hosts].join(', ')}. If the host is the gateway's, add it to "redirectHosts".`,
    { status: 502 },
  )
}

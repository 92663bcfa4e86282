/**
 * Where the gateway wants the customer sent, and whether we follow.
 *
 * @module
 */
import { type AsyncCheckoutFormRedirect, isSafeAddress, type SafeAddressOptions } from '@tillkit/protocol'
import { OrderMismatchError, quote, RedirectRefusedError } from '../config/errors.js'
import { parseAddress } from './addresses.js'

/**
 * The hosts that customers may be sent to, as a URL writes them: those that are listed, else the one of the client's base
 * address.
 *
 * @throws {TypeError} when there is neither, or an entry is no host.
 */
export function allowedHosts(client: object, listed: readonly string[] | undefined): ReadonlySet<string> {
  const base = parseAddress((client as { readonly baseUrl?: unknown }).baseUrl)
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

/**
 * The address of the hosted form, if it is one that a customer may be sent to.
 *
 * @throws {@link OrderMismatchError} when the form is another order's.
 * @throws {@link RedirectRefusedError} when the address is no https, or its host is not allowed.
 */
export function redirectTarget(
  reply: AsyncCheckoutFormRedirect,
  {
    clientOrderId,
    hosts,
    addresses,
  }: {
    readonly clientOrderId: string
    readonly hosts: ReadonlySet<string>
    readonly addresses?: SafeAddressOptions
  },
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

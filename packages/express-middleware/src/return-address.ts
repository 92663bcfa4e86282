/**
 * Where the customer comes back to: the merchant's address and the state as one path segment.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import { isSafeAddress } from '@tillkit/protocol'
import { parseAddress, withPathSegment } from './web-address.js'

/** @throws {TypeError} when it is no absolute https address; http is taken on loopback only. */
export function checkReturnUrl(returnUrl: unknown): URL {
  const address = parseAddress(returnUrl)
  if (address !== undefined && isSafeAddress(address)) return address
  throw new TypeError('Option "returnUrl" must be, or return, an absolute https address; http on loopback only.')
}

/**
 * Value of `redirect_url`.
 *
 * @throws {TypeError} when `returnUrl` is no safe address, or the whole is longer than the gateway takes.
 */
export function returnAddress(
  returnUrl: URL | string,
  { state, profile }: { readonly state: string; readonly profile: WireProfile },
): string {
  const { href } = withPathSegment(checkReturnUrl(returnUrl), state)
  const limit = profile.maxLengths.value.redirectUrl
  if (limit === undefined || href.length <= limit) return href
  throw new TypeError(
    `The return address has ${href.length} characters with its state, the gateway takes ${limit}. Shorten ` +
      '"returnUrl", the id of the state secret or the order id. Nothing was sent.',
  )
}

/**
 * Where the customer comes back to: the merchant's address and the state as one path segment.
 *
 * @module
 */
import {
  isSafeAddress,
  maxLength,
  type OperationName,
  operations,
  type SafeAddressOptions,
  type WireProfile,
} from '@tillkit/protocol'
import { parseAddress, withPathSegment } from './web-address.js'

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

/**
 * Keeps the dashboard and the control API for this machine and for their own pages.
 *
 * A page on the web can have a visitor's browser send requests to 127.0.0.1, and can give its own name that address. So
 * the name in `Host` must be one of this machine, and whatever changes something must not come from another site's page.
 *
 * @module
 */
import { isIP } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'
import type { GatewayRequest, GatewayState } from '@tillkit/testing/gateway'
import { ControlError } from './control-error.js'

/**
 * Lets a request pass, or not.
 *
 * @throws {@link ControlError} 403 for a request that a stranger sent.
 */
export function refuseStranger({ method, url, headers }: GatewayRequest, gateway: StrangerCheck): void {
  if (!isForUs(url, gateway)) {
    throw new ControlError(
      403,
      `The dashboard and the control API are for this machine. Ask ${gateway.origin()}, not ${url.host}.`,
    )
  }
  if (method === 'GET' || method === 'HEAD') return
  const { origin, 'sec-fetch-site': site } = headers
  const foreign = (origin !== undefined && origin !== url.origin) || (site !== undefined && !ownSites.includes(site))
  if (foreign) throw new ControlError(403, 'A page of another site sent this. Nothing was done.')
}

/** What of a gateway is needed to tell strangers. */
export type StrangerCheck = Pick<GatewayState, 'origin' | 'exposed'> & {
  readonly settings: { readonly origin: string }
}

/**
 * Other machines can say any name; so a gateway that they can reach answers nobody, unless somebody let them in. Then what
 * is kept out are pages of the web that gave their own name our address: an address in numbers is nobody's name.
 */
function isForUs(url: URL, { origin, exposed, settings }: StrangerCheck): boolean {
  const own = new URL(origin())
  if (exposed())
    return isLoopbackHost(url.hostname) || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || url.host === own.host
  const listens = own.origin !== settings.origin
  return listens ? isLoopbackHost(own.hostname) && isLoopbackHost(url.hostname) : url.origin === own.origin
}

/** `none`: the person typed the address. */
const ownSites: readonly string[] = ['same-origin', 'none']

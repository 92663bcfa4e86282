import { isIP } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'
import type { GatewayRequest } from './message.js'

/** Where a gateway is reached. */
interface ReachedAt {
  readonly origin: () => string
  readonly exposed: () => boolean
  readonly controlOrigin?: () => string | undefined
}

/** The gateway's own origins: that of its port, or the public one, and that of its control. */
const ownOrigins = ({ origin, controlOrigin }: ReachedAt): readonly string[] =>
  [origin(), controlOrigin?.()].flatMap(each => (each === undefined ? [] : [new URL(each).origin]))

/**
 * Whether `url` names the gateway: by a name of this machine, by an origin of its own, or, where other machines reach it, in
 * numbers.
 */
export const isOwnName = (url: URL, gateway: ReachedAt): boolean =>
  isLoopbackHost(url.hostname) ||
  (gateway.exposed() && isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) ||
  ownOrigins(gateway).some(origin => new URL(origin).host === url.host)

/** Values of `Sec-Fetch-Site`. `none`: the person typed the address. */
const ownSites: readonly string[] = ['same-origin', 'none']

/**
 * Whether a browser sent this for the page of another site.
 *
 * A browser says whose page sends a form: in `Sec-Fetch-Site`, or in `Origin` where it trusts the address less. Programs send
 * neither header. A page can give its own name the address of this machine, and both headers then call it the same site: so
 * `Host` must name the gateway too.
 *
 * @see Fetch Metadata Request Headers, section 2.3; RFC 6454, section 7.3; RFC 9110, section 7.2
 */
export function isSentByAnotherSite({ url, headers }: GatewayRequest, gateway: ReachedAt): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin === undefined && site === undefined) return false
  if (!isOwnName(url, gateway)) return true
  if (site !== undefined) return !ownSites.includes(site)
  return origin !== url.origin && !ownOrigins(gateway).some(own => own === origin)
}

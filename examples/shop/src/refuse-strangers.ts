/**
 * Keeps the shop's pages and forms for customers who are on a page of the shop. To copy: it needs Express and nothing else.
 *
 * A page of any site can make a visitor's browser post a form to the shop. And it can give a name of its own the shop's address (DNS
 * rebinding): the browser then takes the shop for that site, and its page may read and press everything. Browsers say in headers
 * that no page can write which site a form is on (`Origin`, `Sec-Fetch-Site`) and which name was asked for (`Host`).
 *
 * It does not replace a login. Mount it after the routes that other sites are meant to post to: the customer's return, 3DS and
 * callbacks carry a signature of their own.
 */
import type { Request, RequestHandler } from 'express'

/** A request that came from another site's page, or under another name than the shop's. Its message is for the log. */
export class StrangerRefused extends Error {
  override readonly name = 'StrangerRefused'
  readonly status = 403
  /** Which header said so. */
  readonly because: 'host' | 'origin'

  constructor(because: 'host' | 'origin', message: string) {
    super(message)
    this.because = because
  }
}

/**
 * Hands a {@link StrangerRefused} to `next` where a request is not asked for under the shop's own name, or changes something and
 * was not sent by a page of the shop.
 *
 * @param publicAddress Where customers reach the shop: a setting, never taken from the request. Behind a proxy it is the proxy's
 * address, and the proxy hands `Host` on as it came (nginx: `proxy_set_header Host $http_host`). `X-Forwarded-Host` is not looked at,
 * because a page under a rebound name can write it.
 */
export function refuseStrangers(publicAddress: () => URL): RequestHandler {
  return (request, _response, next) => {
    const { host, origin } = publicAddress()
    const asked = request.get('host') ?? ''
    if (asked.toLowerCase() !== host) {
      return next(new StrangerRefused('host', `The shop was asked for as ${shown(asked)} and is ${host}. ${advice}`))
    }
    if (['GET', 'HEAD'].includes(request.method) || isFromPageOf(origin, request)) return next()
    const { origin: sender = 'no origin', 'sec-fetch-site': site = 'not said' } = request.headers
    const said = `Origin ${shown(sender)}, Sec-Fetch-Site ${shown(String(site))}`
    next(new StrangerRefused('origin', `A page that is not of ${origin} sent a form: ${said}. It was not taken.`))
  }
}

/**
 * `Origin` decides. It is `null` where a browser keeps it to itself, and absent in old or altered browsers; `Sec-Fetch-Site` decides
 * then, and `null` without it is refused. A request without both comes from a program that is no browser: it acts for no
 * visitor, and could write any header.
 */
function isFromPageOf(own: string, request: Request): boolean {
  const sender = request.get('origin')
  const site = request.get('sec-fetch-site')
  if (sender !== undefined && sender !== 'null') return sender === own
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return sender === undefined
}

const advice = 'Behind a proxy, configure the public address and let the proxy hand Host on.'

/** What a sender wrote, for one line of a log. */
const shown = (text: string): string => JSON.stringify(text.slice(0, 100))

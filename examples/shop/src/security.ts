/**
 * What the shop's pages may do, and who may use its forms.
 *
 * @module
 */
import type { RequestHandler } from 'express'
import { ChangeRefused } from './change-order.js'

/** A form of the shop leads to the shop, and from there at most to the gateway's pages. */
export function securityHeaders(gatewayHosts: readonly string[]): RequestHandler {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `form-action 'self' ${gatewayHosts.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    next()
  }
}

/**
 * Other sites must not press the merchant's buttons through a visitor's browser. Browsers that do not say where a request
 * comes from are let through; a shop with logins needs a token in its forms as well.
 */
export const refuseOtherSites: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site')
  if (request.method !== 'POST' || site === undefined || site === 'same-origin' || site === 'none') return next()
  next(new ChangeRefused('This was sent from another site, so nothing was done. Use the buttons of the shop.'))
}

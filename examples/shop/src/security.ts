/** The shop's pages may do this, and nothing else. */
import type { RequestHandler } from 'express'

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
      // No other site learns the address of an order. With `no-referrer` browsers would write `Origin: null` into our own forms.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    next()
  }
}

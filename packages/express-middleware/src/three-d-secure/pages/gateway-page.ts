/**
 * A page that the gateway wrote, as a response of its own.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { privateHeaders } from './document.js'

/**
 * Its markup may run scripts and lead anywhere by https, and is no page of this site to the browser: `sandbox` without
 * `allow-same-origin` keeps it from cookies, storage and everything else of the shop.
 */
const policy = [
  'sandbox allow-forms allow-scripts allow-popups allow-top-navigation',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends it as it is. */
export function sendGatewayPage(response: ServerResponse, markup: string): void {
  response.statusCode = 200
  privateHeaders(response, policy)
  const isDocument = /^\s*<(?:!doctype|html)\b/i.test(markup)
  response.end(isDocument ? markup : `<!doctype html>\n<meta charset="utf-8">\n${markup}`)
}

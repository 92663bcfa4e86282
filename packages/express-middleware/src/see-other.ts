/**
 * The answer that turns a POST into a GET: 303 See Other.
 *
 * @see RFC 9110 section 15.4.4
 * @module
 */
import type { ServerResponse } from 'node:http'

/** Answers 303, not to be stored, and without telling the next page where the customer came from. */
export function seeOther(response: ServerResponse, location: string): void {
  response.statusCode = 303
  response.setHeader('Location', location)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.end()
}

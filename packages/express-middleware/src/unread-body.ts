/**
 * What becomes of a connection whose request was not read to its end.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Rejection } from './rejection.js'

/**
 * Ends the connection with the answer when a body was longer than what is read. Node.js would otherwise keep it for a next
 * request, which cannot come before the rest of this body, until its keep-alive timeout.
 */
export function endUnreadBody(response: ServerResponse, { reason }: Pick<Rejection, 'reason'>): void {
  if (reason === 'too-large' && !response.headersSent) response.setHeader('Connection', 'close')
}

/**
 * What becomes of a connection whose request was not read to its end.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Rejection } from './rejection.js'

/**
 * Ends the connection with the answer when a body was longer than what is read. Node.js would otherwise keep it open, and
 * wait minutes for a request that nobody reads.
 */
export function endUnreadBody(response: ServerResponse, { reason }: Pick<Rejection, 'reason'>): void {
  if (reason === 'too-large' && !response.headersSent) response.setHeader('Connection', 'close')
}

/**
 * Sends an answer as Node.js does, under Express, Connect or `node:http`.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.js'

/**
 * Sends it. Headers that were set before stay, unless the answer has its own. Where somebody else has answered meanwhile,
 * such as a middleware that limits time, that stands.
 */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent) return
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

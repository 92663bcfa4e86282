/**
 * A handler for Express, for Connect, and for a server of `node:http` itself.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../http/answer.js'

/** Takes a request of any of them. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Sends it. Headers that were set before stay, unless the answer has its own. Where somebody else has answered meanwhile,
 * such as a middleware that limits time, that stands.
 */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent) return
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

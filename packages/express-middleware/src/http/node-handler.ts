/**
 * A handler for Express, for Connect, and for a server of `node:http` itself.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Takes a request of any of them. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

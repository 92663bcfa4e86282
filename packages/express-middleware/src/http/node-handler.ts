import type { IncomingMessage, ServerResponse } from 'node:http'
import { CallbackError } from '../config/errors.js'
import { type Answer, emptyAnswer } from './answer.js'

/** A handler for Express, for Connect, and for a server of `node:http` itself. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** What is behind a handler. `next`: the next handler answers. `answered`: a function of the merchant has answered. */
export type Core<Request, Response> = (request: Request, response: Response) => Promise<Answer | 'next' | 'answered'>

/**
 * Makes a handler of an answer. `Request` and `Response` are those of the framework, which hands on its own.
 * An error goes to `next`, after the status of the response was set: an error page that sets no status of its own must not say that
 * all is well. Without `next`, as under `node:http`, the answer is sent.
 *
 * @param name Name of the handler in stack traces.
 * @param unheard Told of an error where there is no `next`.
 */
export function nodeHandler<Request = IncomingMessage, Response = ServerResponse>(
  name: string,
  core: Core<Request, Response>,
  unheard?: (error: unknown) => void,
) {
  const handler = async (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): Promise<void> => {
    const answer = await core(request as Request, response as Response).catch(thrownAnswer)
    if (answer === 'answered') return
    if (answer === 'next') return next?.()
    if (answer.error === undefined) return sendAnswer(response, answer)
    if (next === undefined) {
      unheard?.(answer.error)
      return sendAnswer(response, answer)
    }
    if (!response.headersSent) {
      response.statusCode = answer.status
      const { Connection } = answer.headers
      if (Connection !== undefined) response.setHeader('Connection', Connection)
    }
    next(answer.error)
  }
  return Object.defineProperty(handler, 'name', { value: name })
}

const thrownAnswer = (error: unknown): Answer => ({
  ...emptyAnswer(error instanceof CallbackError ? error.status : 500),
  error,
})

/**
 * Sends an answer. Headers that were set before stay, unless the answer has its own. Where another middleware has answered
 * meanwhile, such as one that limits time, its answer stands.
 */
function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent) return
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

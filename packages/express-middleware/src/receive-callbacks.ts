/**
 * Receives callbacks under Express, Connect or `node:http`: verifies, settles, answers.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notify } from '@tillkit/protocol'
import type { Request } from 'express'
import {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
} from './callback-receiver.js'
import { checkOptionalCount, checkOptionalFunction, type OptionNames } from './check-options.js'
import { checkReceiverOptions } from './check-receiver-options.js'
import { defaultMaxBodyBytes } from './defaults.js'
import { endOfTurn } from './end-of-turn.js'
import { CallbackUnsettledError } from './errors.js'
import { readParameters } from './read-parameters.js'
import type { Rejection } from './rejection.js'
import { endUnreadBody } from './unread-body.js'

/** Options of {@link receiveCallbacks}. */
export interface ReceiveCallbacksOptions extends CallbackReceiverOptions<Request> {
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number
  /** Told why a callback was refused, and which request it was. The sender is not told. What it throws is dropped. */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const ownOptions: OptionNames<Pick<ReceiveCallbacksOptions, 'maxBodyBytes' | 'onRejected'>> = {
  maxBodyBytes: true,
  onRejected: true,
}

/** A handler that receives callbacks. Without `next`, as under `node:http`, failures are answered and only reported. */
export interface ReceiveCallbacksHandler extends Pick<CallbackReceiver, 'resume' | 'close'> {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>
}

/**
 * Receives callbacks: verifies them, asks status, tells your handler of every outcome once, and answers.
 *
 * Mount it with `app.all`, before or after any body parser. 200 is answered once your handler has succeeded. Whatever does
 * not verify is answered with 403 and nothing else; what brought no outcome yet, with 503, so that the gateway sends it
 * again. What your functions throw goes to `next` as {@link CallbackUnsettledError}, after the status of the response was
 * set to 503.
 *
 * @example
 * ```ts
 * app.all('/callback', receiveCallbacks({
 *   merchant: { login: 'merchant', controlKeys, client },
 *   inbox: memoryInbox(),
 *   order: ({ clientOrderId }) => findOrder(clientOrderId), // { order, expected: { stages: ['sale'], amount, currency } }
 *   onOutcome: async ({ means, order }, { idempotencyKey }) => {
 *     if (means === 'paid') await ship(order.clientOrderId, idempotencyKey)
 *   },
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function receiveCallbacks(options: ReceiveCallbacksOptions): ReceiveCallbacksHandler {
  checkReceiverOptions('receiveCallbacks', options, ownOptions)
  const { maxBodyBytes = defaultMaxBodyBytes, onRejected, ...receiving } = options
  checkOptionalCount('maxBodyBytes', maxBodyBytes)
  checkOptionalFunction('onRejected', onRejected)
  const receiver = callbackReceiver<Request>(receiving)

  const receive = async (incoming: IncomingMessage): Promise<Received> => {
    const read = await readParameters(incoming, { maxBytes: maxBodyBytes })
    await endOfTurn()
    if (read.read) return receiver.receive(read.parameters, incoming as Request)
    return { verified: false, status: 403, reason: read.reason, explanation: read.explanation }
  }

  async function receiveCallbacksHandler(
    incoming: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): Promise<void> {
    try {
      const received = await receive(incoming)
      if (!received.verified) {
        endUnreadBody(response, received)
        const { reason, explanation } = received
        notify(() => onRejected?.({ reason, explanation }, incoming as Request))
      } else if (received.reason === 'failed') {
        throw new CallbackUnsettledError(received.explanation, { cause: received.cause })
      }
      answer(response, received.status)
    } catch (error) {
      if (next === undefined) return answer(response, statusOf(error))
      // An error page that sets no status of its own must not tell the gateway that all is well.
      response.statusCode = statusOf(error)
      next(error)
    }
  }
  return Object.assign(receiveCallbacksHandler, { resume: receiver.resume, close: receiver.close })
}

function answer(response: ServerResponse, status: number): void {
  const body = status === 200 ? 'OK' : ''
  response.writeHead(status, {
    'Content-Type': 'text/plain',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  })
  response.end(body)
}

/** A mistake in how this is mounted is 500; anything else may be over when the callback comes again. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'status' in error && error.status === 500 ? 500 : 503

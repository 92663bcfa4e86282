/**
 * Receives callbacks under Express, Connect or `node:http`: verifies, settles, answers.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request } from 'express'
import type { Rejection } from '../config/errors.js'
import { CallbackUnsettledError } from '../config/errors.js'
import { systemClock } from '../config/time.js'
import { unheardWarnings } from '../config/warnings.js'
import { sendAnswer } from '../http/send-answer.js'
import { type CallbackReceiver, type CallbackReceiverOptions, callbackReceiver } from './callback-receiver.js'
import { checkReceiverOptions } from './check-receiver-options.js'

/** Options of {@link receiveCallbacks}. */
export interface ReceiveCallbacksOptions extends Omit<CallbackReceiverOptions<Request>, 'onRejected'> {
  /**
   * Told why a callback was refused, and which request it was. The sender is not told. What it throws is dropped. Default:
   * the process is warned, once a minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
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
 *   onOutcome: async ({ kind, order }, { idempotencyKey }) => {
 *     if (kind === 'paid') await ship(order.clientOrderId, idempotencyKey)
 *   },
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function receiveCallbacks(options: ReceiveCallbacksOptions): ReceiveCallbacksHandler {
  // A refused callback came with its request; only stored ones have none.
  const receiving = options as CallbackReceiverOptions<Request>
  checkReceiverOptions('receiveCallbacks', receiving)
  const receiver = callbackReceiver<Request>(receiving)

  const unheard = unheardWarnings({ clock: options.clock ?? systemClock })

  async function receiveCallbacksHandler(
    incoming: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): Promise<void> {
    const answer = await receiver.answer(incoming, { context: incoming as Request })
    if (answer.error === undefined || next === undefined) {
      if (answer.error !== undefined && !wasReported(answer.error)) {
        unheard('WARN_CALLBACK_POSTPONED', { reason: 'failed', explanation: String(answer.error), cause: answer.error })
      }
      return sendAnswer(response, answer)
    }
    // An error page that sets no status of its own must not tell the gateway that all is well.
    response.statusCode = answer.status
    next(answer.error)
  }
  return Object.assign(receiveCallbacksHandler, { resume: receiver.resume, close: receiver.close })
}

/** Whether it is the error of a report, which `onReport` was told of. */
const wasReported = (error: unknown): boolean => error instanceof CallbackUnsettledError && error.cause !== undefined

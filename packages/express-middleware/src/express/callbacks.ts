/**
 * Middleware that lets through verified callbacks only.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notify, type WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Request } from 'express'
import { checkCallbackRequest, type VerifiedCallback } from '../callbacks/check.js'
import { checkReceiverOptions } from '../callbacks/options.js'
import type { UnverifiedIds } from '../callbacks/read.js'
import { type CallbackReceiver, type CallbackReceiverOptions, callbackReceiver } from '../callbacks/receiver.js'
import { CallbackError, CallbackRejectedError, CallbackUnsettledError, type Rejection } from '../config/errors.js'
import {
  checkCall,
  checkControlKeys,
  checkOptionalCount,
  checkOptionalFunction,
  checkOptionalProfile,
  type OptionNames,
} from '../config/options.js'
import { systemClock } from '../config/time.js'
import { unheardWarnings } from '../config/warnings.js'
import { endUnreadBody } from '../http/answer.js'
import { type NodeHandler, sendAnswer } from './to-express.js'

/**
 * Finds the control keys for a callback, where several merchants or endpoints share an address. `ids` is what the callback
 * says of itself, not verified yet: look keys up by it, or by the path of the request, and do nothing else.
 *
 * @returns undefined where there are none: the callback is refused.
 */
export type ControlKeyLookup = (
  ids: UnverifiedIds,
  request: Request,
) => ControlKeys | undefined | Promise<ControlKeys | undefined>

/** Options of {@link verifyCallback}. */
export interface VerifyCallbackOptions {
  /**
   * Merchant control key, or several while one is being replaced; the callback names the one that matched. A function for
   * several merchants.
   */
  readonly controlKeys: ControlKeys | ControlKeyLookup
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number
  /**
   * Told why a callback was refused, and which request it was. The sender is not told. What it throws is dropped. Default:
   * the process is warned, once a minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const optionNames: OptionNames<VerifyCallbackOptions> = {
  controlKeys: true,
  profile: true,
  maxBodyBytes: true,
  onRejected: true,
}

/** What {@link verifyCallback} puts into `response.locals`. */
export interface CallbackLocals {
  readonly callback: VerifiedCallback
}

/**
 * Verifies callbacks. What verifies is in `response.locals.callback`, see {@link CallbackLocals}.
 *
 * Takes GET with a query and POST with a form, before or after any body parser. Mount it with `app.all`.
 * A verified callback is a hint: ask status before you deliver anything, its amount is not signed.
 *
 * @example
 * ```ts
 * app.all('/callback', verifyCallback({ controlKeys: 'merchant control key' }), (_request, response) => {
 *   console.log(response.locals.callback.signed.clientOrderId)
 *   response.sendStatus(200)
 * })
 * ```
 *
 * @returns A handler that calls `next` with {@link CallbackRejectedError} (403), {@link BodyConsumedError} (500), or
 * {@link CallbackUnsettledError} (503) where a function of yours looks for keys for more than five seconds. It serves
 * Express, Connect and `node:http`.
 * @throws {TypeError} when an option is wrong.
 */
export function verifyCallback(options: VerifyCallbackOptions): NodeHandler {
  checkCall('verifyCallback', options, optionNames)
  const { controlKeys, profile, maxBodyBytes, onRejected } = options
  if (typeof controlKeys !== 'function') checkControlKeys(controlKeys)
  checkOptionalProfile(profile, 'callbackItems')
  checkOptionalCount('maxBodyBytes', maxBodyBytes)
  checkOptionalFunction('onRejected', onRejected)

  const unheard = unheardWarnings({ clock: systemClock })
  const tellRejected = onRejected ?? ((rejection: Rejection) => unheard('WARN_CALLBACK_REFUSED', rejection))

  return async function verifyCallbackHandler(incoming, response, next) {
    const request = incoming as Request
    const keys = typeof controlKeys === 'function' ? (ids: UnverifiedIds) => controlKeys(ids, request) : controlKeys
    try {
      const verdict = await checkCallbackRequest(incoming, { controlKeys: keys, profile, maxBodyBytes })
      if (!verdict.verified) {
        endUnreadBody(response, verdict)
        const { reason, explanation } = verdict
        notify(() => tellRejected({ reason, explanation }, request))
        // An error page that sets no status of its own must not tell the gateway that all is well.
        response.statusCode = 403
        return next(new CallbackRejectedError())
      }
      localsOf(response).callback = verdict.callback
    } catch (error) {
      response.statusCode = error instanceof CallbackError ? error.status : 500
      return next(error)
    }
    next()
  }
}

/** Express makes `locals` for every response; Connect and `node:http` do not. */
function localsOf(response: ServerResponse & { locals?: Record<string, unknown> }): Record<string, unknown> {
  response.locals ??= {}
  return response.locals
}

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

import type { IncomingMessage, ServerResponse } from 'node:http'
import { aCount, aFunction, notify, type OptionTable } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Request } from 'express'
import type { UnverifiedIds, VerifiedCallback } from '../callbacks/check.js'
import { type CheckCallbackRequestOptions, checkCallbackRequest } from '../callbacks/check-request.js'
import { type CallbackReceiverOptions, checkReceiverOptions } from '../callbacks/options.js'
import { type CallbackReceiver, callbackReceiver } from '../callbacks/receiver.js'
import { CallbackRejectedError, CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { checkCall, controlKeysOption, profileOption } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { createWarnings, warningsOf } from '../config/warnings.js'
import { emptyAnswer, endingUnread } from '../http/answer.js'
import type { NodeHandler } from '../http/node-handler.js'
import { toExpress } from './to-express.js'

/**
 * Finds the control keys for a callback, where several merchants share an address. `ids` is not verified yet: look keys up by it, or
 * by the path of the request, and do nothing else. Undefined refuses the callback.
 */
export type ControlKeyLookup = (
  ids: UnverifiedIds,
  request: Request,
) => ControlKeys | undefined | Promise<ControlKeys | undefined>

/** Options of {@link verifyCallback}. */
export interface VerifyCallbackOptions extends Pick<CheckCallbackRequestOptions, 'profile' | 'maxBodyBytes'> {
  /**
   * Merchant control key, or several while one is being replaced; the callback names the one that matched. A function for
   * several merchants.
   */
  readonly controlKeys: ControlKeys | ControlKeyLookup
  /** Told why a callback was refused. What it throws is dropped. Default: the process is warned, once a minute for each reason. */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const verifyOptions: OptionTable<VerifyCallbackOptions> = {
  controlKeys: (keys, name) => (typeof keys === 'function' ? undefined : controlKeysOption(keys, name)),
  profile: profileOption('callbackItems'),
  maxBodyBytes: aCount({ unit: 'bytes' }),
  onRejected: aFunction,
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
  checkCall('verifyCallback', options, verifyOptions)
  const { controlKeys, ...reading } = options
  const warn = createWarnings({ clock: systemClock })
  const onRejected = options.onRejected ?? ((rejection: Rejection) => warn('WARN_CALLBACK_REFUSED', rejection))

  return toExpress('verifyCallbackHandler', async (request, response) => {
    const keys = typeof controlKeys === 'function' ? (ids: UnverifiedIds) => controlKeys(ids, request) : controlKeys
    const verdict = await checkCallbackRequest(request, { ...reading, controlKeys: keys })
    if (verdict.kind === 'refused') {
      notify(() => onRejected(verdict, request))
      const answer = { ...emptyAnswer(403), error: new CallbackRejectedError() }
      return endingUnread(answer, { rejection: verdict, request })
    }
    // Express makes `locals` for every response; Connect and `node:http` do not.
    response.locals ??= {}
    response.locals.callback = verdict.callback
    return 'next'
  })
}

/** Options of {@link receiveCallbacks}. */
export interface ReceiveCallbacksOptions<Transaction = never>
  extends Omit<CallbackReceiverOptions<Request, Transaction>, 'onRejected'>,
    Pick<VerifyCallbackOptions, 'onRejected'> {}

/** A handler that receives callbacks. Without `next`, as under `node:http`, failures are answered and only reported. */
export interface ReceiveCallbacksHandler extends Pick<CallbackReceiver, 'resume' | 'close'> {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>
}

/**
 * Receives callbacks: verifies them, asks status, tells your handler of every outcome once, and answers.
 *
 * Mount it with `app.all`, before or after any body parser. 200 is answered once your handler has succeeded, 403 to what does not
 * verify, and 503 to what brought no outcome yet, so that the gateway sends it again. What your functions throw goes to `next`
 * as {@link CallbackUnsettledError}, after the status of the response was set to 503.
 *
 * @example
 * ```ts
 * app.all('/callback', receiveCallbacks({
 *   merchant: { controlKeys, client },
 *   store, // that of the client
 *   onOutcome: async ({ kind, reference }, { transaction }) => {
 *     if (kind === 'paid') await transaction.run`update orders set state = 'paid' where id = ${reference}`
 *   },
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function receiveCallbacks<Transaction = never>(
  options: ReceiveCallbacksOptions<Transaction>,
): ReceiveCallbacksHandler {
  // A refused callback came with its request; only stored ones have none.
  const receiving = options as CallbackReceiverOptions<Request, Transaction>
  checkReceiverOptions('receiveCallbacks', receiving)
  const { answer, resume, close } = callbackReceiver(receiving)
  const warn = warningsOf(options)

  const unheard = (error: unknown) => {
    // `onReport` was told of what your functions threw.
    if (error instanceof CallbackUnsettledError && error.cause !== undefined) return
    warn('WARN_CALLBACK_POSTPONED', { reason: 'failed', explanation: 'What it is about was not found.', cause: error })
  }
  const handler = toExpress('receiveCallbacksHandler', request => answer(request, { context: request }), unheard)
  return Object.assign(handler, { resume, close })
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { aCount, aFunction, notify, type OptionTable } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Request, Response } from 'express'
import type { UnverifiedIds, VerifiedCallback } from '../callbacks/check.js'
import { type CheckCallbackRequestOptions, checkCallbackRequest } from '../callbacks/check-request.js'
import { type CallbackReceiverOptions, checkReceiverOptions, type ReportedResult } from '../callbacks/options.js'
import type { OrderStatus } from '../callbacks/order-status.js'
import { callbackReceiver } from '../callbacks/receiver.js'
import { CallbackRejectedError, CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { checkCall, controlKeysOption, profileOption } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { createWarnings, ownWords } from '../config/warnings.js'
import { emptyAnswer, endingUnread } from '../http/answer.js'
import { type NodeHandler, nodeHandler } from '../http/node-handler.js'

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
  /** Told why a callback was refused. Errors that it throws are dropped. Default: the process is warned, once a minute for each reason. */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const verifyOptions: OptionTable<VerifyCallbackOptions> = {
  controlKeys: (keys, name) => (typeof keys === 'function' ? undefined : controlKeysOption(keys, name)),
  profile: profileOption('callbackItems'),
  maxBodyBytes: aCount({ unit: 'bytes' }),
  onRejected: aFunction,
}

/** The locals that {@link verifyCallback} adds to `response.locals`. */
export interface CallbackLocals {
  readonly callback: VerifiedCallback
}

/**
 * Verifies callbacks. A verified one is in `response.locals.callback`, see {@link CallbackLocals}.
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
  const warn = createWarnings(ownWords, { clock: systemClock })
  const onRejected = options.onRejected ?? ((rejection: Rejection) => warn('WARN_CALLBACK_REFUSED', rejection))

  return nodeHandler<Request, Response>('verifyCallbackHandler', async (request, response) => {
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
export interface ReceiveCallbacksOptions
  extends Omit<CallbackReceiverOptions<Request>, 'onRejected' | 'onReport' | 'onStatus'>,
    Pick<VerifyCallbackOptions, 'onRejected'> {
  /**
   * Called with what status says, for every callback that status has shown. 200 is answered only once it has resolved. Doing the same work
   * twice must do no harm: it is called again for every repetition.
   */
  readonly onStatus: (status: OrderStatus, request: Request) => void | Promise<void>
  /**
   * Told how each verified callback ended. Errors that it throws are dropped. Default: the process is warned of every 503 except
   * `not-final`, once a minute for each kind.
   */
  readonly onReport?: (result: ReportedResult, request: Request) => void
}

/** A handler that receives callbacks. Without `next`, as under `node:http`, failures are answered and only reported. */
export type ReceiveCallbacksHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/**
 * Receives callbacks: verifies them, asks status, calls your function with what status says, and answers.
 *
 * Mount it with `app.all`, before or after any body parser. 200 is answered once your function has resolved, 403 to what does not
 * verify, and 503 to everything else, so that the gateway sends it again. Errors of your functions go to `next`
 * as {@link CallbackUnsettledError}, after the status of the response was set to 503.
 *
 * **It keeps nothing.** Your function is called for every repetition of a callback, and compares the amount with the order itself. For one
 * call an outcome, and for all that is to survive a restart, take `@tillkit/till`.
 *
 * @example
 * ```ts
 * app.all('/callback', receiveCallbacks({
 *   merchant: { controlKeys, client },
 *   onStatus: async ({ kind, clientOrderId, isOver }) => {
 *     const { amount, currency } = await findOrder(clientOrderId)
 *     if (kind === 'paid' && isOver({ amount, currency })) await markAsPaid(clientOrderId) // does nothing the second time
 *   },
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function receiveCallbacks(options: ReceiveCallbacksOptions): ReceiveCallbacksHandler {
  // Every callback comes with its request.
  const receiving = options as CallbackReceiverOptions<Request>
  checkReceiverOptions('receiveCallbacks', receiving)
  const { answer } = callbackReceiver(receiving)
  const warn = createWarnings(ownWords, { clock: options.clock ?? systemClock })

  const unheard = (error: unknown) => {
    // `onReport` was told of what your functions threw.
    if (error instanceof CallbackUnsettledError && error.cause !== undefined) return
    warn('WARN_CALLBACK_POSTPONED', { reason: 'failed', explanation: 'What it is about was not found.', cause: error })
  }
  return nodeHandler<Request, Response>(
    'receiveCallbacksHandler',
    request => answer(request, { context: request }),
    unheard,
  )
}

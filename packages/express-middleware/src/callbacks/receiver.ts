import { documentKey, type KeptPayments, type KnownOrder, notify, unmatchedKey } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { atEndOfTurn, withDeadline } from '../config/time.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import { type AnyRequest, readParameters } from '../http/parameters.js'
import { createLedger } from '../outcomes/ledger.js'
import { checkCallbackFor, type UnverifiedIds, type VerifiedCallback } from './check.js'
import { isOfName, type OrderWork } from './left.js'
import {
  type CallbackMerchant,
  type CallbackReceiverOptions,
  type CallbackResult,
  checkReceiverOptions,
  type ReportedResult,
  receiverSettings,
  type WithRequest,
} from './options.js'
import type { Worked } from './plans.js'
import { callbackResult, callbackSettler, notMatching, resultOf } from './settle.js'
import { createStoredCallbacks } from './stored.js'

/** Receives callbacks. */
export interface CallbackReceiver<Context = undefined> {
  /**
   * Takes one callback, GET with a query or POST with a form, and says how to answer it. Never throws: what failed is in
   * `error` of the answer, for your log, and the answer is 503 or, where nothing could read the body, 500.
   */
  answer(request: AnyRequest, more?: WithRequest<Context>): Promise<Answer>
  /**
   * Takes the parameters of a callback that you have read. What your functions throw is in the result, except for `merchant`:
   * what that throws is thrown.
   */
  receive(parameters: readonly Parameter[], context?: Context): Promise<CallbackResult>
  /**
   * Works on what the store has left to do: callbacks and outcomes that a crash left behind, requests whose end status has not shown.
   * Call it when the process starts, and from time to time. What brings no news is asked about ever less often: a quarter of its
   * age later, and a decline for thirty days.
   *
   * @param options `untilTried`: wait until each was tried once, as a program wants that ends afterwards. Default: false.
   * @returns How many orders there were; of 100 payments at most.
   */
  resume(options?: { readonly untilTried?: boolean }): Promise<number>
  /**
   * Begins no more work on what is stored. Waits for tellings under way, for five seconds at most; what is left then waits in the
   * store.
   */
  close(): Promise<void>
}

/**
 * Makes a receiver of callbacks for any framework. `receiveCallbacks` is the one for Express.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function callbackReceiver<Context = undefined, Transaction = never>(
  options: CallbackReceiverOptions<Context, Transaction>,
): CallbackReceiver<Context> {
  checkReceiverOptions('callbackReceiver', options)
  const settings = receiverSettings(options)
  const { merchant, acknowledge, profile, maxBodyBytes, budget, wait, onReport, onRejected, warnsOfHandlers } = settings
  const ledger = createLedger(settings)
  const settler = callbackSettler(settings, ledger)
  const find = (ids: UnverifiedIds, context: Context | undefined) =>
    typeof merchant === 'function' ? merchant(ids, context) : merchant

  const workOn = async (order: OrderWork): Promise<Worked> => {
    const { login, clientOrderId, orderId } = order
    const holder = await find({ status: '', clientOrderId, orderId }, undefined)
    const isNamed = holder !== undefined && isOfName(holder.client.payments, order)
    if (isNamed && holder.client.payments.login === login)
      return { result: resultOf(await settler.settle(order, holder), order.callbacks ?? [], profile), isOwn: true }
    // Several names may share a store, each with a receiver of its own.
    if (typeof merchant !== 'function' && !isNamed) return { isOwn: false }
    const explanation = `Option "merchant" finds no merchant ${login} for order ${clientOrderId}.`
    return { result: callbackResult('failed', explanation), isOwn: false }
  }

  const isOwnUnmatched = async (key: string, { login, clientOrderId = '', orderId = '' }: KnownOrder) => {
    const holder = await find({ status: '', clientOrderId, orderId }, undefined)
    return holder !== undefined && unmatchedKey({ login, clientOrderId, orderId }, holder.client.payments) === key
  }

  const stored = createStoredCallbacks(settings, {
    work: order => settler.within(workOn(order), result => ({ result, isOwn: true })),
    offer: ledger.offerUnmatched,
    isOwnUnmatched,
  })

  const take = async (callback: VerifiedCallback, holder: CallbackMerchant): Promise<ReportedResult> => {
    const callbacks = [callback]
    const ids = { ...callback.signed, callbacks }
    const { clientOrderId, orderId, status } = ids
    const { payments } = holder.client
    if (acknowledge !== 'after-stored') {
      const result = resultOf(await settler.settle(ids, holder), callbacks, profile)
      // Whether or not it comes again, the work in the background asks about its order again, and nobody takes the order for one that never was.
      if (result.kind === 'not-shown' || result.kind === 'no-answer')
        await ledger.callbackCame({ payments, clientOrderId }, orderId, status).catch(() => undefined)
      return result
    }
    try {
      const came = await ledger.callbackCame({ payments, clientOrderId }, orderId, status)
      if (came.kind !== 'kept') return notMatching(came, ids)
      const key = documentKey({ clientOrderId }, payments)
      stored.begin({ ...ids, key, login: payments.login, hasNews: true })
      return callbackResult('stored', 'It is stored, and worked on from now.')
    } catch (cause) {
      return callbackResult('failed', 'The store did not take the callback.', { cause })
    }
  }

  /** Callbacks of one order that come together are settled together: each keeps its own word. */
  const keepWord = async (
    { clientOrderId, orderId, status }: UnverifiedIds,
    payments: KeptPayments,
    taken: ReportedResult,
  ): Promise<ReportedResult> => {
    const came = await ledger.callbackCame({ payments, clientOrderId }, orderId, status)
    if (came.kind === 'not-kept') return notMatching(came, { clientOrderId, orderId })
    stored.offer(unmatchedKey({ clientOrderId, orderId, login: payments.login }, payments))
    return taken
  }

  const refuse = (rejection: Rejection, context: Context | undefined): CallbackResult => {
    notify(() => onRejected(rejection, context))
    return { ...rejection, status: 403 }
  }

  const receive = async (parameters: readonly Parameter[], context: Context | undefined): Promise<CallbackResult> => {
    const verified: { callback?: VerifiedCallback } = {}
    const work = async (): Promise<ReportedResult | Rejection> => {
      const verdict = await checkCallbackFor({ parameters, profile, find: ids => find(ids, context) })
      if (verdict.kind === 'refused') return verdict
      const { callback, holder } = verdict
      verified.callback = callback
      const client = holder.clientOf?.(callback.keyLabel) ?? holder.client
      const taken = await take(callback, { ...holder, client })
      if (taken.kind !== 'unmatched') return taken
      return keepWord(callback.signed, client.payments, taken).catch(cause =>
        callbackResult('failed', 'The store did not take the callback.', { cause }),
      )
    }
    const late = (): ReportedResult => {
      if (verified.callback === undefined) {
        throw new CallbackUnsettledError(`Option "merchant" found nothing within ${budget} ms.`)
      }
      return callbackResult(
        'busy',
        `It was not settled within ${budget} ms. The work goes on; the gateway sends the callback again.`,
      )
    }
    const result = await withDeadline(work(), { milliseconds: budget, wait, late })
    if (result.kind === 'refused') return refuse(result, context)
    const full = { ...result, ...verified }
    if (result.kind !== 'stored') notify(() => onReport(full, context))
    return full
  }

  return {
    async answer(request, { body, context } = {}) {
      try {
        const read = await readParameters(request, { maxBytes: maxBodyBytes, body })
        await atEndOfTurn()
        const result = read.kind === 'refused' ? refuse(read, context) : await receive(read.parameters, context)
        if (result.kind === 'handler-failed' && warnsOfHandlers) return emptyAnswer(result.status)
        return callbackAnswer(result, request)
      } catch (error) {
        return failedCallbackAnswer(error)
      }
    },
    receive: (parameters, context) => receive(parameters, context),
    resume: stored.resume,
    async close() {
      await Promise.all([stored.close(), ledger.close()])
    },
  }
}

function callbackAnswer(result: CallbackResult, request: AnyRequest): Answer {
  const answer = emptyAnswer(result.status)
  if (result.kind === 'refused') return endingUnread(answer, { rejection: result, request })
  if (result.status === 200) return { ...answer, body: 'OK' }
  if (result.kind !== 'failed' && result.kind !== 'handler-failed') return answer
  return { ...answer, error: new CallbackUnsettledError(result.explanation, { cause: result.cause }) }
}

/** The answer where nothing could be decided: 500 for a mistake in how this is mounted, else 503: the next delivery may succeed. */
const failedCallbackAnswer = (error: unknown): Answer => ({
  ...emptyAnswer(error instanceof Error && 'status' in error && error.status === 500 ? 500 : 503),
  error,
})

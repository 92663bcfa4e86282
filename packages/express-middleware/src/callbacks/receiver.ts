import { notify } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { atEndOfTurn, withDeadline } from '../config/time.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import { type AnyRequest, readParameters } from '../http/parameters.js'
import { checkCallbackFor, type UnverifiedIds, type VerifiedCallback } from './check.js'
import {
  type CallbackReceiverOptions,
  type CallbackResult,
  checkReceiverOptions,
  type ReportedResult,
  receiverSettings,
  type WithRequest,
} from './options.js'
import { callbackResult, callbackSettler } from './settle.js'
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
   * Works on stored callbacks that no process works on: those that a crash left behind. Call it when the process starts, and from
   * time to time where there are several.
   *
   * @returns How many there were, at most 100.
   */
  resume(): Promise<number>
  /** Begins no more work on stored callbacks, and resolves once what was begun is over. They wait in the inbox. */
  close(): Promise<void>
}

/**
 * Makes a receiver of callbacks for any framework. `receiveCallbacks` is the one for Express.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function callbackReceiver<Context = undefined>(
  options: CallbackReceiverOptions<Context>,
): CallbackReceiver<Context> {
  checkReceiverOptions('callbackReceiver', options)
  const settings = receiverSettings(options)
  const { merchant, acknowledge, profile, maxBodyBytes, budget, wait, onReport, onRejected } = settings
  const settler = callbackSettler(settings)
  const find = (ids: UnverifiedIds, context: Context | undefined) =>
    typeof merchant === 'function' ? merchant(ids, context) : merchant

  const settleStored = async (signed: UnverifiedIds, login: string): Promise<ReportedResult> => {
    const holder = await find(signed, undefined)
    if (holder?.login === login) return settler.settle({ login, ...signed }, holder, undefined)
    return callbackResult('failed', `Option "merchant" finds no merchant ${login} for order ${signed.clientOrderId}.`)
  }

  const stored = createStoredCallbacks(settings, (signed, login) => settler.within(settleStored(signed, login)))

  const store = async (signed: VerifiedCallback['signed'], login: string): Promise<ReportedResult> => {
    try {
      await stored.put(signed, login)
      return callbackResult('stored', 'It is stored, and worked on from now.')
    } catch (cause) {
      return callbackResult('failed', 'The inbox did not take the callback.', { cause })
    }
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
      const { clientOrderId, orderId } = callback.signed
      return acknowledge === 'after-stored'
        ? store(callback.signed, holder.login)
        : settler.settle({ login: holder.login, clientOrderId, orderId }, holder, context)
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
        return callbackAnswer(result, request)
      } catch (error) {
        return failedCallbackAnswer(error)
      }
    },
    receive: (parameters, context) => receive(parameters, context),
    resume: stored.resume,
    close: stored.close,
  }
}

function callbackAnswer(result: CallbackResult, request: AnyRequest): Answer {
  const answer = emptyAnswer(result.status)
  if (result.kind === 'refused') return endingUnread(answer, { rejection: result, request })
  if (result.status === 200) return { ...answer, body: 'OK' }
  if (result.kind !== 'failed') return answer
  return { ...answer, error: new CallbackUnsettledError(result.explanation, { cause: result.cause }) }
}

/** The answer where nothing could be decided: 500 for a mistake in how this is mounted, else 503: the next delivery may succeed. */
const failedCallbackAnswer = (error: unknown): Answer => ({
  ...emptyAnswer(error instanceof Error && 'status' in error && error.status === 500 ? 500 : 503),
  error,
})

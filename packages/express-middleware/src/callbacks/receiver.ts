import { notify } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { CallbackUnsettledError, type Rejection } from '../config/errors.js'
import { statusClientOption } from '../config/options.js'
import { atEndOfTurn, withDeadline } from '../config/time.js'
import { type Answer, emptyAnswer, endingUnread } from '../http/answer.js'
import { type AnyRequest, readParameters } from '../http/parameters.js'
import { checkCallbackFor, type VerifiedCallback } from './check.js'
import {
  type CallbackReceiverOptions,
  type CallbackResult,
  checkReceiverOptions,
  type ReportedResult,
  receiverSettings,
  type WithRequest,
} from './options.js'
import { callbackResult, callbackSettler } from './settle.js'

/** Receives callbacks. */
export interface CallbackReceiver<Context = undefined> {
  /**
   * Takes one callback, GET with a query or POST with a form, and says how to answer it. Never throws: what failed is in
   * `error` of the answer, for your log, and the answer is 503 or, where nothing could read the body, 500.
   */
  answer(request: AnyRequest, more?: WithRequest<Context>): Promise<Answer>
  /**
   * Takes the parameters of a callback that you have read. Errors of your functions are in the result, except for those of `merchant`,
   * which are thrown.
   */
  receive(parameters: readonly Parameter[], context?: Context): Promise<CallbackResult>
}

/**
 * Makes a receiver of callbacks for any framework. `receiveCallbacks` is the one for Express.
 *
 * It keeps nothing, so `onStatus` is called for every repetition of a callback, in every process. For once: `@tillkit/till`.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function callbackReceiver<Context = undefined>(
  options: CallbackReceiverOptions<Context>,
): CallbackReceiver<Context> {
  checkReceiverOptions('callbackReceiver', options)
  const settings = receiverSettings(options)
  const { merchant, profile, maxBodyBytes, budget, wait, onReport, onRejected } = settings
  const settle = callbackSettler(settings)

  const refuse = (rejection: Rejection, context: Context | undefined): CallbackResult => {
    notify(() => onRejected(rejection, context))
    return { ...rejection, status: 403 }
  }

  const receive = async (parameters: readonly Parameter[], context: Context | undefined): Promise<CallbackResult> => {
    let verified: VerifiedCallback | undefined
    const work = async (): Promise<ReportedResult | Rejection> => {
      const find = (ids: VerifiedCallback['signed']) =>
        typeof merchant === 'function' ? merchant(ids, context) : merchant
      const verdict = await checkCallbackFor({ parameters, profile, find })
      if (verdict.kind === 'refused') return verdict
      const { callback, holder } = verdict
      verified = callback
      const { client } = holder
      const problem = statusClientOption(client, 'client')
      if (problem === undefined) return { ...(await settle({ callback, client, context })), callback }
      const cause = new TypeError(problem)
      return {
        ...callbackResult('failed', 'Option "merchant" gave no client that can ask status.', { cause }),
        callback,
      }
    }
    const late = (): ReportedResult => {
      if (verified === undefined) {
        throw new CallbackUnsettledError(`Option "merchant" found nothing within ${budget} ms.`)
      }
      const explanation = `It was not settled within ${budget} ms. The work goes on; the gateway sends the callback again.`
      return { ...callbackResult('busy', explanation), callback: verified }
    }
    const result = await withDeadline(work(), { milliseconds: budget, wait, late })
    if (result.kind === 'refused') return refuse(result, context)
    notify(() => onReport(result, context))
    return result
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

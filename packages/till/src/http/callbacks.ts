import {
  type Answer,
  type AnyRequest,
  atEndOfTurn,
  CallbackUnsettledError,
  checkCallbackFor,
  emptyAnswer,
  endingUnread,
  type Rejection,
  readParameters,
  type UnverifiedIds,
  type VerifiedCallback,
  withDeadline,
} from '@tillkit/express-middleware/core'
import { notify, quote } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { Account, Accounts } from '../payment/accounts.js'
import { type PaymentBook, referenceOf } from '../payment/book.js'
import { isKeepable, type Unmatched } from '../people/unmatched.js'
import { type ReportedResult, reportedResult } from '../rules/reported.js'
import type { Warn } from '../said/warnings.js'
import type { LookAfter, LookAfterContext } from '../work/look-after.js'

/** Finds the account of an order; undefined: the store does not have it, or its account has gone. */
export type FindAccount = (clientOrderId: string) => Promise<Account | undefined>

/** Makes what finds the account of an order. Where there is one account, and never was another, nothing is read for it. */
export const accountFinder =
  (accounts: Accounts, payments: Pick<PaymentBook, 'read' | 'keyOf'>): FindAccount =>
  async clientOrderId => {
    if (!accounts.areSeveral) return accounts.all[0]
    if (!isKeepable(payments.keyOf(clientOrderId))) return undefined
    const { document } = await payments.read(referenceOf(clientOrderId))
    const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
    return order === undefined ? undefined : accounts.ofLogin(order.login)
  }

/** Everything that receiving callbacks needs of the till. */
export interface CallbacksContext extends Pick<LookAfterContext, 'accounts' | 'wait'> {
  readonly payments: Pick<PaymentBook, 'keyOf'>
  readonly accountOf: FindAccount
  readonly lookAfter: LookAfter
  readonly unmatched: Pick<Unmatched, 'keep' | 'offer' | 'keyOf'>
  readonly report: Report
  readonly onRejected: (rejection: Rejection, request: AnyRequest) => void
}

/** Tells the merchant what a callback came to, or work in the background, which has no request. */
export type Report = (result: ReportedResult, request: AnyRequest | undefined) => void

/** Longest time to an answer, in milliseconds: the gateway waits for five seconds. After it the answer is 503, and the work goes on. */
const longestAnswer = 4_500

/** Makes what receives the callbacks of all accounts. */
export function createCallbacks(context: CallbacksContext) {
  const { accounts, payments, accountOf, lookAfter, unmatched, report, onRejected, wait } = context
  const offering = new Set<Promise<unknown>>()

  /** The keys that a callback may be signed with: of its order's account, and of all where nobody here has sent the order. */
  const find = async ({ clientOrderId }: UnverifiedIds) => {
    const account = await accountOf(clientOrderId)
    if (account !== undefined) return { controlKeys: account.controlKeys, of: () => account }
    const [first] = accounts.all
    return {
      controlKeys: accounts.all.flatMap(({ login, controlKeys }) => controlKeys.map(key => ({ label: login, key }))),
      of: (label: string) => accounts.ofLogin(label) ?? first,
    }
  }

  const offer = (key: string): void => {
    const offered = unmatched.offer(key)
    offering.add(offered)
    void offered.finally(() => offering.delete(offered))
  }

  const take = async (callback: VerifiedCallback, { login }: Account): Promise<ReportedResult> => {
    const { signed } = callback
    const { clientOrderId, orderId } = signed
    const isPossible = isKeepable(payments.keyOf(clientOrderId))
    const named = `Order ${quote(clientOrderId)} (orderid ${quote(orderId)}) has no request in the store`
    const result = isPossible
      ? await lookAfter({ login, clientOrderId, orderId, callbacks: [callback] })
      : reportedResult('unmatched', `${named}.`)
    if (result.kind !== 'unmatched') return result
    try {
      const why = await unmatched.keep(login, signed)
      if (why !== undefined) return reportedResult('not-kept', `${named}, and the callback is not kept. ${why}.`)
      offer(unmatched.keyOf(login, signed))
      return result
    } catch (cause) {
      return reportedResult('failed', 'The store did not take the callback.', { cause })
    }
  }

  const refuse = (rejection: Rejection, request: AnyRequest): Answer => {
    notify(() => onRejected(rejection, request))
    return endingUnread(emptyAnswer(403), { rejection, request })
  }

  const receive = async (parameters: readonly Parameter[], request: AnyRequest): Promise<Answer> => {
    const verified: { callback?: VerifiedCallback } = {}
    const work = async (): Promise<ReportedResult | Rejection> => {
      const verdict = await checkCallbackFor({ parameters, profile: accounts.all[0].profile, find })
      if (verdict.kind === 'refused') return verdict
      const { callback, holder } = verdict
      verified.callback = callback
      return take(callback, holder.of(callback.keyLabel))
    }
    const late = (): ReportedResult => {
      if (verified.callback === undefined)
        throw new CallbackUnsettledError(`The store did not say within ${longestAnswer} ms whose order this is.`)
      const explanation = `It was not settled within ${longestAnswer} ms. The work goes on; the gateway sends the callback again.`
      return reportedResult('busy', explanation)
    }
    const result = await withDeadline(work(), { milliseconds: longestAnswer, wait, late })
    if (result.kind === 'refused') return refuse(result, request)
    report({ ...result, ...verified }, request)
    return answerTo(result)
  }

  return {
    /**
     * Takes one callback, GET with a query or POST with a form, and says how to answer it. It never throws: the error is in the
     * answer, whose status is 503 or, where nothing could read the body, 500.
     */
    async answer(request: AnyRequest): Promise<Answer> {
      try {
        const read = await readParameters(request, {})
        await atEndOfTurn()
        return read.kind === 'refused' ? refuse(read, request) : await receive(read.parameters, request)
      } catch (error) {
        // A mistake in how the till is mounted is 500. Else the next delivery may succeed.
        const isMistake = error instanceof Error && 'status' in error && error.status === 500
        return { ...emptyAnswer(isMistake ? 500 : 503), error }
      }
    },
    /** Waits for offers under way. */
    close: async (): Promise<void> => void (await Promise.all(offering)),
  }
}

/** The error of a failing handler is in a warning already. */
function answerTo({ kind, status, explanation, cause }: ReportedResult): Answer {
  const answer = emptyAnswer(status)
  if (status === 200) return { ...answer, body: 'OK' }
  return kind === 'failed' ? { ...answer, error: new CallbackUnsettledError(explanation, { cause }) } : answer
}

/** Makes what warns of what callbacks and the work in the background came to, where the merchant has no function for it. */
export const warnOfResults =
  (warn: Warn, isUnmatchedOffered: boolean): Report =>
  result => {
    const { kind, status, explanation, cause, callback } = result
    if (kind === 'handler-failed') return warn('WARN_HANDLER_FAILED', { explanation, cause })
    const event = { reason: kind, explanation, cause }
    if (kind === 'unmatched' && !isUnmatchedOffered) warn('WARN_CALLBACK_UNMATCHED', event)
    // An order that is under way asks nothing of anybody: the gateway calls again.
    if (status === 200 || kind === 'not-final') return
    if (callback !== undefined) warn('WARN_CALLBACK_POSTPONED', event)
    else if (kind !== 'busy') warn('WARN_WORK_POSTPONED', event)
  }

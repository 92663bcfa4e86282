import type { Known } from '../engine/run.js'
import { type Described, type Sending, tooLate } from '../engine/sending.js'
import type { Next } from '../intents/next.js'
import type { RequestPlan } from '../intents/send.js'
import type { SendPermission } from '../rules/orders/reserve.js'
import { documentKey } from '../store/keys.js'
import type { Account, Accounts } from './accounts.js'
import { longestPaying } from './book.js'
import type { Deliveries } from './deliveries.js'
import { notBegun } from './errors.js'
import { marksOf } from './marks.js'

/** A request of an account, for the intent that decides whether it is sent. */
export type MadeRequest = Pick<RequestPlan, 'attempt' | 'timeout'>

/** Takes a prepared request of an account: the one that was taken last is the one that is sent. */
export type Make = (account: Account, prepared: Described) => MadeRequest

/** A run about a payment that sends one request at most. */
export interface SendingRun<Result> {
  readonly accounts: Accounts
  readonly deliveries: Deliveries
  readonly reference: string
  /** The name of the operation, for people. */
  readonly operation: string
  next(make: Make): Next<Result>
}

/** The end of such a run. */
export interface SentOnce<Result> {
  readonly result: Result
  readonly known: Known
  /** The account whose request was made; undefined: none was. */
  readonly account: Account | undefined
  /** Whether the request was sent. */
  readonly isSent: boolean
  /** The error that a request which was sent came to; undefined: there was none. See `isUnanswered`. */
  readonly error: unknown
  /** Whether all that happened is written down. */
  readonly isKept: boolean
  /** Why the request was not sent. @param cause Default: what the store said, or that it was too late. */
  notSent(cause?: Error): Error
  /** Why the request may not be sent, by what is kept of the payment. */
  forbidden(why: Exclude<SendPermission, { readonly kind: 'reserved' }>): Error
}

/**
 * Drives a run about a payment that sends one request at most.
 *
 * @throws Why nothing was sent, where the run did not come to its end.
 */
export async function sendOnce<Result>({
  accounts: { all, engine },
  deliveries,
  reference,
  operation,
  next,
}: SendingRun<Result>): Promise<SentOnce<Result>> {
  let made: { readonly account: Account; readonly prepared: Described; readonly sending: Sending } | undefined
  const make: Make = (account, prepared) => {
    if (made?.prepared !== prepared) made = { account, prepared, sending: account.sendingOf(prepared) }
    return { attempt: prepared.description, timeout: prepared.timeout }
  }
  const ended = await deliveries.drive<Result>(all[0], documentKey({ clientOrderId: reference }, engine.place), {
    next: next(make),
    marks: marksOf(engine, all[0].runs.clocks.system),
    send(request, startWithin) {
      if (made === undefined) throw new TypeError(`Nothing of ${reference} was made that could be sent.`)
      return made.sending.send(request, startWithin)
    },
    patience: longestPaying,
  })
  const { account, sending } = made ?? {}
  if (ended.kind === 'done' && ended.unwritten !== undefined) sending?.tellUnwritten(ended.unwritten.cause)
  const sent = sending?.sent()
  const error = sent !== undefined && 'error' in sent ? sent.error : undefined
  if (ended.kind === 'failed')
    throw error ?? sending?.notSent(ended.cause) ?? notBegun(ended.cause, { operation, clientOrderId: reference })
  const { result, known, unwritten, refused } = ended
  return {
    result,
    known,
    account,
    isSent: sent !== undefined,
    error,
    isKept: unwritten === undefined,
    notSent: cause => sending?.notSent(cause ?? refused?.cause ?? tooLate()) ?? tooLate(),
    forbidden: why => sending?.forbidden(why) ?? tooLate(),
  }
}

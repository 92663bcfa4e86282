import { documentKey, mayHaveArrived, operations, type Person, type RememberedAttempt } from '@tillkit/protocol'
import { type Described, tooLate } from '../../engine/sending.js'
import { type NamedOrder, payOut } from '../../intents/payout.js'
import type { Account } from '../accounts.js'
import { longestPaying } from '../book.js'
import { isUnanswered, notBegun, pausedError } from '../errors.js'
import { marksOf } from '../marks.js'
import type { Opening, RunContext } from './pay-by-run.js'

type PayoutRun = Pick<RunContext, 'accounts' | 'deliveries' | 'callbackUrl' | 'tells'>

/**
 * Sends the money of a payout that was checked, by a run. Where it may be on its way, it is waited for.
 *
 * @throws {TillError} where a person stopped new money, and what the client throws where the request was refused or not sent.
 */
export async function executeByRun(
  reference: string,
  person: Person | undefined,
  { accounts, deliveries, callbackUrl, tells }: PayoutRun,
): Promise<void> {
  const { engine, all } = accounts
  let opening: Opening | undefined
  const requestFor = (order: NamedOrder) => {
    const account = accounts.choose({ login: order.login })
    const request = prepare(order, { account, callbackUrl, person })
    opening = { account, sending: account.sendingOf(request) }
    return { attempt: request.description, timeout: request.timeout }
  }
  const ended = await deliveries.drive(all[0], documentKey({ clientOrderId: reference }, engine.place), {
    next: payOut({
      reference,
      profile: all[0].profile,
      profileOf: login => accounts.ofLogin(login)?.profile,
      requestFor,
      lease: tells ? deliveries.lease : undefined,
    }),
    marks: marksOf(engine),
    send: (request, startWithin) => (opening as Opening).sending.send(request, startWithin),
    patience: longestPaying,
  })
  const { sending } = opening ?? {}
  if (ended.kind === 'done' && ended.unwritten !== undefined) sending?.tellUnwritten(ended.unwritten.cause)
  const sent = sending?.sent()
  if (sent !== undefined && 'error' in sent && !mayBeUnderWay(sent.error)) throw sent.error
  if (ended.kind === 'failed')
    throw sending?.notSent(ended.cause) ?? notBegun(ended.cause, { operation: 'payoutPay', clientOrderId: reference })
  const { result, refused } = ended
  if (result.kind === 'not-made') throw result.cause
  if (result.kind === 'paused') throw pausedError(reference, result.pause)
  const error =
    result.kind === 'not-reserved'
      ? sending?.forbidden(result.why)
      : result.kind === 'ended' && sent === undefined
        ? sending?.notSent(refused?.cause ?? tooLate())
        : undefined
  if (error !== undefined && !mayBeUnderWay(error)) throw error
}

/** Checks and builds the request for the money. */
function prepare(
  { clientOrderId, orderId }: NamedOrder,
  {
    account: { client },
    callbackUrl,
    person,
  }: {
    readonly account: Account
    readonly callbackUrl: string | undefined
    readonly person: Person | undefined
  },
): Described {
  const callback = callbackUrl === undefined ? {} : { serverCallbackUrl: callbackUrl }
  const options = person === undefined ? {} : { person }
  return client.prepare(operations.payoutPay, { clientOrderId, orderId, ...callback }, options) as Described
}

/** Whether the money may be on its way, by this request or an earlier one: then it is waited for. */
export function mayBeUnderWay(error: unknown): boolean {
  const { code, earlier } = Object(error) as { readonly code?: unknown; readonly earlier?: RememberedAttempt }
  if (code === 'ERR_ALREADY_SENT') return earlier !== undefined && mayHaveArrived(earlier)
  return code === 'ERR_OPEN_CHANGE' || isUnanswered(error)
}

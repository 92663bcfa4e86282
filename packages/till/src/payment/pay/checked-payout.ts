import { operations, type Person } from '@tillkit/protocol'
import type { Described } from '../../engine/sending.js'
import { planned } from '../../intents/next.js'
import { type NamedOrder, type PayoutResult, payOut } from '../../intents/payout.js'
import { mayHaveArrived, type RememberedAttempt } from '../../state/attempt-rules.js'
import type { Account } from '../accounts.js'
import { isUnanswered, pausedError } from '../errors.js'
import { sendOnce } from '../send-once.js'
import type { PayContext } from './pay-context.js'

type PayoutRun = Pick<PayContext, 'accounts' | 'deliveries' | 'callbackUrl' | 'tells'>

/**
 * Sends the money of a payout that was checked, by a run. Where it may be on its way, it is waited for.
 *
 * @throws {TillError} where a person stopped new money, and what the client throws where the request was refused or not sent.
 */
export async function sendCheckedPayout(
  reference: string,
  person: Person | undefined,
  { accounts, deliveries, callbackUrl, tells }: PayoutRun,
): Promise<void> {
  const { result, error, isSent, notSent, forbidden } = await sendOnce<PayoutResult>({
    accounts,
    deliveries,
    reference,
    operation: 'payoutPay',
    next: make =>
      planned(
        'payout',
        {
          reference,
          profile: accounts.all[0].profile,
          profileOf: (login: string) => accounts.ofLogin(login)?.profile,
          requestFor(order: NamedOrder) {
            const account = accounts.choose({ login: order.login })
            return make(account, prepare(order, { account, callbackUrl, person }))
          },
          lease: tells ? deliveries.handlerTimeout : undefined,
        },
        payOut,
      ),
  })
  if (error !== undefined && !isUnanswered(error)) throw error
  switch (result.kind) {
    case 'not-made':
      throw result.cause
    case 'paused':
      throw pausedError(reference, result.pause)
    case 'not-reserved': {
      const why = forbidden(result.why)
      if (mayBeUnderWay(why)) return
      throw why
    }
    case 'ended':
      if (!isSent) throw notSent()
      return
    case 'waits':
  }
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
function mayBeUnderWay(error: unknown): boolean {
  const { code, earlier } = Object(error) as { readonly code?: unknown; readonly earlier?: RememberedAttempt }
  if (code === 'ERR_ALREADY_SENT') return earlier !== undefined && mayHaveArrived(earlier)
  return code === 'ERR_OPEN_CHANGE' || isUnanswered(error)
}

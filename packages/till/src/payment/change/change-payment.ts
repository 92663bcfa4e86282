import { operations } from '@tillkit/protocol'
import type { JournalledClient } from '../../engine/journal.js'
import { type Described, unwanted } from '../../engine/sending.js'
import { type ChangeResult as Came, type ChangeExtent, type ChangePlan, change } from '../../intents/change.js'
import { planned } from '../../intents/next.js'
import type { NamedOrder } from '../../intents/payout.js'
import { merchantIdOf } from '../../store/keys.js'
import type { Accounts } from '../accounts.js'
import type { PaymentBook } from '../book.js'
import type { Deliveries } from '../deliveries.js'
import { isUnanswered } from '../errors.js'
import { type Make, type SentOnce, sendOnce } from '../send-once.js'
import { accountMissing, type ChangeRequest, type ChangeResult, checkPart, refusedChange } from './changes.js'

/** Everything that changing by a run of the engine needs of the till. */
export interface ChangeRunContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  readonly deliveries: Deliveries
}

/**
 * Captures, returns or voids, by a run. A change that was sent before is not sent again, unless it failed;
 * of a return after parts the rest is sent.
 *
 * @throws {TillError} where the payment does not allow it, and what the client throws where the request was refused or not sent.
 */
export async function changePayment(
  request: ChangeRequest,
  { accounts, payments, deliveries }: ChangeRunContext,
): Promise<ChangeResult> {
  checkPart(request)
  const { reference, name: operation } = request
  const next = (make: Make) => planned('change', planOf(request, { accounts, make }), change)
  return changeResultOf(await sendOnce({ accounts, deliveries, reference, operation, next }), { request, payments })
}

/** Everything that a change goes by. @param make Takes the request that is to be sent. */
export function planOf(
  request: ChangeRequest,
  { accounts, make }: { readonly accounts: Accounts; readonly make: Make },
): ChangePlan {
  return {
    terms: request,
    profile: accounts.all[0].profile,
    profileOf: login => accounts.ofLogin(login)?.profile,
    requestFor(order, extent) {
      const account = accounts.choose({ login: order.login })
      return make(account, prepare(account.client, { order, extent, request }))
    },
    onlyWhile: request.onlyWhile,
  }
}

/** Says how a change ended. @throws As `changePayment` does. */
export function changeResultOf(
  { result, known, error, isSent, notSent, forbidden }: SentOnce<Came>,
  { request, payments }: { readonly request: ChangeRequest; readonly payments: PaymentBook },
): ChangeResult {
  if (error !== undefined && !isUnanswered(error)) throw error
  const payment = payments.view(request.reference, { ...known, version: 0, at: result.at })
  switch (result.kind) {
    case 'ended':
      if (!isSent) throw notSent()
      return { kind: error === undefined ? 'sent' : 'unknown', again: false, payment }
    case 'again':
      return { kind: result.isAccepted ? 'sent' : 'unknown', again: true, payment }
    case 'refused':
      throw refusedChange(result.step, request, payment)
    case 'no-account':
      throw accountMissing(result, request)
    case 'not-made':
      throw result.cause
    case 'not-reserved':
      throw forbidden(result.why)
    case 'unwanted':
      throw notSent(unwanted())
  }
}

/** Checks and builds the request. */
function prepare(
  { prepare }: Pick<JournalledClient, 'prepare'>,
  {
    order: { clientOrderId, orderId, stages },
    extent: { amount, attemptId },
    request: { name, person },
  }: { readonly order: NamedOrder; readonly extent: ChangeExtent; readonly request: ChangeRequest },
): Described {
  const ids = { clientOrderId: merchantIdOf(clientOrderId), orderId }
  const by = person === undefined ? {} : { person }
  if (name === 'void' || amount === undefined || attemptId === undefined)
    return prepare(operations[name] as typeof operations.void, ids, by) as Described
  // A part without a currency is refused by the client: never is the whole sent in its place.
  const currency = stages.find(each => each.currency !== undefined)?.currency ?? ''
  const part = { ...ids, amount, currency }
  return prepare(operations[name] as typeof operations.return, part, { ...by, attemptId }) as Described
}

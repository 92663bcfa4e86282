import type { ClientWithStore } from '@tillkit/client'
import { documentKey, operations } from '@tillkit/protocol'
import { type Described, type Sending, tooLate, unwanted } from '../../engine/sending.js'
import { type ChangeExtent, change } from '../../intents/change.js'
import type { NamedOrder } from '../../intents/payout.js'
import type { Accounts } from '../accounts.js'
import { longestPaying, type PaymentBook } from '../book.js'
import type { Deliveries } from '../deliveries.js'
import { isUnanswered, notBegun } from '../errors.js'
import { marksOf } from '../marks.js'
import { accountMissing, type ChangeRequest, type ChangeResult, checkPart, refusedChange } from './changes.js'

/** Everything that changing by a run of the engine needs of the till. */
export interface ChangeRunContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  readonly deliveries: Deliveries
}

/**
 * Captures, returns or voids, by a run. A change that was sent before is not sent again, unless it failed; of a return after parts the rest is sent.
 *
 * @throws {TillError} where the payment does not allow it, and what the client throws where the request was refused or not sent.
 */
export async function changeByRun(
  request: ChangeRequest,
  { accounts, payments, deliveries }: ChangeRunContext,
): Promise<ChangeResult> {
  checkPart(request)
  const { reference, onlyWhile } = request
  const { engine, all } = accounts
  const { profile } = all[0]
  let sending: Sending | undefined
  const requestFor = (order: NamedOrder, extent: ChangeExtent) => {
    const account = accounts.choose({ login: order.login })
    const prepared = prepare(account.client, { order, extent, request })
    sending = account.sendingOf(prepared)
    return { attempt: prepared.description, timeout: prepared.timeout }
  }
  const ended = await deliveries.drive(all[0], documentKey({ clientOrderId: reference }, engine.place), {
    next: change({
      terms: request,
      profile,
      profileOf: login => accounts.ofLogin(login)?.profile,
      requestFor,
      onlyWhile,
    }),
    marks: marksOf(engine),
    send: (asked, startWithin) => (sending as Sending).send(asked, startWithin),
    patience: longestPaying,
  })
  const made = sending as Sending | undefined
  if (ended.kind === 'done' && ended.unwritten !== undefined) made?.tellUnwritten(ended.unwritten.cause)
  const sent = made?.sent()
  const failed = sent !== undefined && 'error' in sent ? sent.error : undefined
  if (failed !== undefined && !isUnanswered(failed)) throw failed
  if (ended.kind === 'failed')
    throw made?.notSent(ended.cause) ?? notBegun(ended.cause, { operation: request.name, clientOrderId: reference })
  const { result, known, refused } = ended
  const payment = payments.view(reference, { ...known, version: 0, at: result.at })
  switch (result.kind) {
    case 'ended':
      if (sent === undefined) throw made?.notSent(refused?.cause ?? tooLate()) ?? tooLate()
      return { kind: failed === undefined ? 'sent' : 'unknown', again: false, payment }
    case 'again':
      return { kind: result.isAccepted ? 'sent' : 'unknown', again: true, payment }
    case 'refused':
      throw refusedChange(result.step, request, payment)
    case 'no-account':
      throw accountMissing(result, request)
    case 'not-made':
      throw result.cause
    case 'not-reserved':
      throw made?.forbidden(result.why) ?? tooLate()
    case 'unwanted':
      throw made?.notSent(unwanted()) ?? unwanted()
  }
}

/** Checks and builds the request. */
function prepare(
  { prepare }: Pick<ClientWithStore, 'prepare'>,
  {
    order: { clientOrderId, orderId, stages },
    extent: { amount, attemptId },
    request: { name, person },
  }: { readonly order: NamedOrder; readonly extent: ChangeExtent; readonly request: ChangeRequest },
): Described {
  const ids = { clientOrderId, orderId }
  const by = person === undefined ? {} : { person }
  if (name === 'void' || amount === undefined || attemptId === undefined)
    return prepare(operations[name] as typeof operations.void, ids, by) as Described
  // A part without a currency is refused by the client: never is the whole sent in its place.
  const currency = stages.find(each => each.currency !== undefined)?.currency ?? ''
  const part = { ...ids, amount, currency }
  return prepare(operations[name] as typeof operations.return, part, { ...by, attemptId }) as Described
}

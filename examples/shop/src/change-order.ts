/**
 * Capture, void and return: the merchant's buttons. One change of an order at a time, and none is ever sent twice.
 *
 * @module
 */
import { type ClientWithStore, fromMinorUnits, isGatewayError } from '@tillkit/client'
import {
  type AllowedNow,
  type AmountFields,
  type AwaitedStage,
  allowedNow,
  type Order,
  orderTotals,
  readMinorUnits,
} from '@tillkit/protocol'
import { money } from './pages/money.js'
import { paymentOf } from './payment.js'

/** A button of the order page. */
export type Change = 'capture' | 'void' | 'return'

/** What is asked of an order. Without an amount, the whole. */
export interface ChangeRequest {
  readonly change: Change
  /** Major units. */
  readonly amount?: string
  /** How many stages the order had on the page with the button. */
  readonly seenStages: number
}

/** Why a change was not made, in words for the merchant. */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}

/**
 * Sends one change. The client writes it down before the first byte leaves: a second click finds it, whatever becomes of the first.
 * When no answer comes it stays open, and the page of the order says so.
 *
 * @throws {@link ChangeRefused} when it is not allowed now, another one is open, or it was not made.
 */
export async function changeOrder(
  clientOrderId: string,
  { change, amount, seenStages }: ChangeRequest,
  client: Pick<ClientWithStore, Change | 'payments' | 'baseUrl'>,
): Promise<void> {
  const { order, open } = await paymentOf(client, clientOrderId)
  const { orderId } = order
  if (orderId === undefined) throw new ChangeRefused('The gateway does not know this order.')
  if (open.length > 0) throw new ChangeRefused('Another change of this order is open. Wait for its outcome.')
  // A second click may arrive when the first has had its outcome: it was meant for an order that is no more like this.
  if (order.stages.length !== seenStages) {
    throw new ChangeRefused('The order has changed since this page was shown. Look at it again, then decide.')
  }
  const ids = { clientOrderId, orderId }
  const money = moneyOf(order, { change, ...(amount === undefined ? {} : { amount }) })
  // What was meant for the order as it was then: the same click is the same attempt, also after a restart.
  const attemptId = `${clientOrderId} ${change} ${amount ?? 'the rest'} after ${seenStages}`
  try {
    await (change === 'void' ? client.void(ids) : client[change]({ ...ids, ...money }, { attemptId }))
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { code, message, moneyMayHaveMoved } = error
    // Two of the codes say that an earlier request may have done something, and that this one did nothing.
    if (moneyMayHaveMoved && code !== 'ERR_OPEN_CHANGE' && code !== 'ERR_ALREADY_SENT') return
    throw new ChangeRefused(message, { cause: error })
  }
}

/** The money to name: none for the whole, where the whole is still there. */
function moneyOf(
  order: Order,
  { change, amount }: Omit<ChangeRequest, 'seenStages'>,
): AmountFields | Record<never, never> {
  const stage = stageOf(change, allowedNow(order))
  const totals = orderTotals(order)
  if (stage === undefined || totals === undefined) {
    throw new ChangeRefused(`A ${change} is not possible in the state this order is in.`)
  }
  const { currency } = totals
  const whole = stage === 'reversal' ? totals.returnable : totals.held
  // The gateway takes a return without an amount for the whole, so the rest has to be named once a part was returned.
  const isRest = stage === 'reversal' && totals.returnable !== totals.captured
  if (amount !== undefined) return { amount: checkedAmount(amount, { change, whole, currency }), currency }
  return isRest ? { amount: whole, currency } : {}
}

/** What the merchant typed with the currency's digits: `5` is `5.00`. */
function checkedAmount(
  amount: string,
  { change, whole, currency }: { readonly change: Change; readonly whole: string; readonly currency: string },
): string {
  try {
    const asked = readMinorUnits(amount, currency)
    if (asked > 0n && asked <= readMinorUnits(whole, currency)) return fromMinorUnits(asked, currency)
  } catch {
    throw new ChangeRefused(`${JSON.stringify(amount)} is not an amount. Write one such as 5 or 5.00.`)
  }
  throw new ChangeRefused(
    `The amount of a ${change} is more than ${money('0.00', currency)} and at most ${money(whole, currency)}.`,
  )
}

function stageOf(change: Change, allowed: AllowedNow): AwaitedStage | undefined {
  if (change === 'return') return allowed.return
  return allowed[change] ? change : undefined
}

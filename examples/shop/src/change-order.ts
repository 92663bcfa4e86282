/**
 * Capture, void and return: the merchant's buttons. One change of an order at a time, and none is ever sent twice.
 *
 * @module
 */
import { type AnyGatewayError, type Client, fromMinorUnits, isGatewayError } from '@tillkit/client'
import {
  type AllowedNow,
  type AmountFields,
  type AwaitedStage,
  allowedNow,
  type Expectation,
  orderTotals,
  readMinorUnits,
} from '@tillkit/protocol'
import type { OpenQuestion, Orders, ShopOrder } from './orders.js'
import { money } from './pages/money.js'

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
 * Sends one change and remembers the question it opens. When no answer comes the question stays open, marked so, with the
 * attempt that `client.resolve` asks about.
 *
 * @throws {@link ChangeRefused} when it is not allowed now, another one is open, or it was not made.
 */
export async function changeOrder(
  clientOrderId: string,
  { change, amount, seenStages }: ChangeRequest,
  { client, orders }: { readonly client: Pick<Client, Change>; readonly orders: Orders },
): Promise<void> {
  const current = orders.find(clientOrderId)
  const orderId = current?.order.orderId
  if (current === undefined || orderId === undefined) throw new ChangeRefused('The gateway does not know this order.')
  if (current.open.length > 0) throw new ChangeRefused('Another change of this order is open. Wait for its outcome.')
  // A second click may arrive when the first has had its outcome: it was meant for an order that is no more like this.
  if (current.order.stages.length !== seenStages) {
    throw new ChangeRefused('The order has changed since this page was shown. Look at it again, then decide.')
  }
  const { expected, money } = plan(current, { change, ...(amount === undefined ? {} : { amount }) })
  const open = (question: OpenQuestion | undefined) =>
    orders.update(clientOrderId, order => ({ ...order, open: question === undefined ? [] : [question] }))

  // Opened before the first byte leaves: a second click finds it, whatever becomes of the first.
  open({ operation: change, expected, state: 'sending' })
  const ids = { clientOrderId, orderId }
  try {
    // What was meant for the order as it was then: the same click is the same attempt, also after a restart.
    const attemptId = `${clientOrderId} ${change} ${amount ?? 'the rest'} after ${seenStages}`
    const { serialNumber } = await (change === 'void'
      ? client.void(ids)
      : client[change]({ ...ids, ...money }, { attemptId }))
    const answered = serialNumber === undefined ? expected : { ...expected, serialNumber }
    open({ operation: change, expected: answered, state: 'sent' })
  } catch (error) {
    if (isGatewayError(error) && didNothing(error)) {
      open(undefined)
      throw new ChangeRefused(error.message, { cause: error })
    }
    const isUnknown = isGatewayError(error) && error.code === 'ERR_OUTCOME_UNKNOWN'
    open({ operation: change, expected, state: 'unknown', ...(isUnknown ? { attempt: error.attempt } : {}) })
    if (!isGatewayError(error)) throw error
  }
}

/** Whether this very request is known to have done nothing: two of the codes say that an earlier one may have. */
const didNothing = ({ code, moneyMayHaveMoved }: AnyGatewayError): boolean =>
  !moneyMayHaveMoved || code === 'ERR_OPEN_CHANGE' || code === 'ERR_ALREADY_SENT'

/** What to send, and what would answer it: its stage, and the money it is about. */
interface Plan {
  readonly expected: Expectation
  /** Left out for the whole, where the whole is still there. */
  readonly money: AmountFields | Record<never, never>
}

function plan(
  { order, product: { currency } }: ShopOrder,
  { change, amount }: Omit<ChangeRequest, 'seenStages'>,
): Plan {
  const stage = stageOf(change, allowedNow(order))
  const totals = orderTotals(order)
  if (stage === undefined || totals === undefined) {
    throw new ChangeRefused(`A ${change} is not possible in the state this order is in.`)
  }
  const whole = stage === 'reversal' ? totals.returnable : totals.held
  // The gateway takes a return without an amount for the whole, so the rest has to be named once a part was returned.
  const isRest = stage === 'reversal' && totals.returnable !== totals.captured
  const asked = amount === undefined ? whole : checkedAmount(amount, { change, whole, currency })
  const expected = { stages: [stage], amount: asked, currency }
  return { expected, money: amount === undefined && !isRest ? {} : { amount: asked, currency } }
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

/**
 * Capture, void and return: the merchant's buttons. One change of an order at a time, and none is ever sent twice.
 *
 * @module
 */
import {
  type AllowedNow,
  type AnyGatewayError,
  allowedNow,
  type Client,
  type Expectation,
  orderTotals,
  type StageName,
} from '@tillkit/client'
import type { Orders, ShopOrder } from './orders.js'

/** A button of the order page. */
export type Change = 'capture' | 'void' | 'return'

/** What is asked of an order. Without an amount, the whole. */
export interface ChangeRequest {
  readonly change: Change
  /** Major units. */
  readonly amount?: string
}

/** Why a change was not made, in words for the merchant. */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}

/**
 * Sends one change and remembers the question it opens.
 *
 * @throws {@link ChangeRefused} when it is not allowed now, another one is open, or the gateway refuses it.
 */
export async function changeOrder(
  clientOrderId: string,
  { change, amount }: ChangeRequest,
  { client, orders }: { readonly client: Pick<Client, Change>; readonly orders: Orders },
): Promise<void> {
  const current = orders.find(clientOrderId)
  const orderId = current?.order.orderId
  if (current === undefined || orderId === undefined)
    throw new ChangeRefused('The gateway does not know this order yet.')
  if (current.open.length > 0)
    throw new ChangeRefused('Another change of this order is still open. Wait for its outcome.')
  const expected = expectation(current, { change, ...(amount === undefined ? {} : { amount }) })

  // Opened before the first byte leaves: a second click finds it, whatever becomes of the first.
  orders.update(clientOrderId, order => ({ ...order, open: [{ operation: change, expected, unknown: true }] }))
  const money = amount === undefined ? {} : { amount, currency: current.product.currency }
  const ids = { clientOrderId, orderId }
  try {
    const reply = await (change === 'void' ? client.void(ids) : client[change]({ ...ids, ...money }))
    const answered = reply.serialNumber === undefined ? expected : { ...expected, serialNumber: reply.serialNumber }
    orders.update(clientOrderId, order => ({ ...order, open: [{ operation: change, expected: answered }] }))
  } catch (error) {
    const { code, message, moneyMayHaveMoved } = error as AnyGatewayError
    if (code === undefined) throw error
    orders.update(clientOrderId, order => ({
      ...order,
      open: moneyMayHaveMoved ? order.open : [],
      notes: [...order.notes, message],
    }))
    throw new ChangeRefused(message, { cause: error })
  }
}

/** What would answer the change: its stage, and the money it is about. */
function expectation({ order, product }: ShopOrder, { change, amount }: ChangeRequest): Expectation {
  const allowed = allowedNow(order)
  const stages = stagesOf(change, allowed)
  if (stages === undefined) throw new ChangeRefused(`A ${change} is not possible in the state this order is in.`)
  const totals = orderTotals(order)
  const whole = stages.includes('reversal') ? totals?.returnable : totals?.held
  const expectedAmount = amount ?? whole
  return expectedAmount === undefined ? { stages } : { stages, amount: expectedAmount, currency: product.currency }
}

function stagesOf(change: Change, allowed: AllowedNow): readonly StageName[] | undefined {
  if (change === 'return') return allowed.return === undefined ? undefined : [allowed.return]
  return allowed[change] ? [change] : undefined
}

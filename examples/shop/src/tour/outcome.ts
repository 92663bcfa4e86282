/** How the tour learns outcomes: by asking status until it settles, on the gateway's virtual clock. */
import {
  emptyOrder,
  isSettled,
  type Order,
  type Reply,
  type Settled,
  type SettleInput,
  settle,
} from '@tillkit/protocol'
import type { Payment, PaymentState } from '@tillkit/till'
import { mustBe, type TourContext } from './step.js'

/** Which order, and what is waited for. */
export type Question = Pick<SettleInput, 'order' | 'expected'>

/** How far the clock is moved between two questions, in milliseconds. */
const between = 4_000

/** Asks status until the question settles. Throws when it does not. */
export async function settled({ client, gateway }: TourContext, { order, expected }: Question): Promise<Settled> {
  let current = order
  for (let asked = 0; asked < 10; asked += 1) {
    const { clientOrderId, orderId } = current
    const askedAt = gateway.clock.now()
    const reply = await client.status({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
    const settlement = settle({ order: current, expected, observation: { reply, askedAt } })
    if (isSettled(settlement)) return settlement
    if (settlement.kind !== 'not-final' && settlement.kind !== 'other-stage') throw new Error(settlement.explanation)
    current = settlement.order
    await gateway.clock.advance(between)
  }
  throw new Error(`Order ${order.clientOrderId} did not settle.`)
}

/** The order that a reply acknowledged. */
export function acknowledged(clientOrderId: string, { orderId }: Pick<Reply, 'orderId'>): Order {
  return emptyOrder(orderId === undefined ? { clientOrderId } : { clientOrderId, orderId })
}

/** Lets the gateway come to its word and call back, until the till says so of a payment. @throws An error with what it says instead. */
export async function arrives(
  { till, gateway }: TourContext,
  reference: string,
  state: PaymentState,
): Promise<Payment> {
  for (let looked = 0; looked < 10; looked += 1) {
    await gateway.clock.advance(between)
    await gateway.callbacks.idle()
    const payment = await till.payment(reference)
    if (payment.state === state && payment.underWay.length === 0) return payment
  }
  mustBe(`payment ${reference}`, (await till.payment(reference)).state, state)
  throw new Error(`A change of payment ${reference} did not end.`)
}

import { latestStage, type Order, replaceStage } from '../orders/order.js'
import type { AcceptedCall, Fields, GatewayState } from '../state/gateway-state.js'
import { strikeOrder } from '../state/order-actions.js'

/** Strikes what the request just decided. */
export function strikeDecided({ fields, serialNumber, struck: strikes, gateway }: AcceptedCall): void {
  const order = orderOf(fields, gateway)
  const stage = order === undefined ? undefined : latestStage(order)
  if (order === undefined || stage?.serialNumbers.includes(serialNumber) !== true) return
  const struck = strikeOrder({ order, stage }, gateway)
  if (struck !== undefined) strikes.push(struck)
}

/** Decides the outcome at once and delivers its callback, before the answer is written. */
export async function strikeAnswer({ operation, fields, struck: strikes, gateway }: AcceptedCall): Promise<void> {
  const { faults, orders, clock, callbackSender } = gateway
  const order = orderOf(fields, gateway)
  if (order === undefined || !callbackSender.isPending(order, latestStage(order))) return
  const struck = faults.strike({ at: 'answer', operation })
  if (struck === undefined) return
  strikes.push(struck.fault)
  const before = latestStage(order)
  const after = { ...before, finalAt: Math.min(before.finalAt ?? clock.now(), clock.now()) }
  const changed = replaceStage(order, { before, after })
  orders.put(changed)
  await callbackSender.hurry(changed, after)
}

/** A request that creates an order does not carry the gateway's id: it is about the latest order under its own. */
const orderOf = ({ orderId, clientOrderId = '' }: Fields, { orders }: GatewayState): Order | undefined =>
  orderId === undefined ? orders.byClientOrderId(clientOrderId) : orders.byOrderId(orderId)

/**
 * Which request is about which order.
 *
 * @module
 */
import type { Call } from '../call-log.js'
import { readFields } from '../fields.js'
import type { GatewayState } from '../gateway-state.js'
import type { Order } from '../transactions.js'

/** The calls of the log about an order, oldest first. */
export const callsOfOrder = (order: Order, gateway: GatewayState): readonly Call[] =>
  gateway.log.list().filter(call => {
    const { orderId, clientOrderId } = idsOf(call, gateway)
    return orderId === undefined ? clientOrderId === order.clientOrderId : orderId === order.orderId
  })

/** The order that a call is about, if there is one. */
export function orderOfCall(call: Call, gateway: GatewayState): Order | undefined {
  const { orderId, clientOrderId = '' } = idsOf(call, gateway)
  return orderId === undefined ? gateway.orders.byClientOrderId(clientOrderId) : gateway.orders.byOrderId(orderId)
}

function idsOf({ operation, fields }: Call, { settings }: GatewayState) {
  const row = operation === undefined ? undefined : settings.operations[operation]
  if (row === undefined) return {}
  const { orderId, clientOrderId } = readFields(fields, { row, profile: settings.profile })
  return { orderId, clientOrderId }
}

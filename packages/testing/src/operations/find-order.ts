/**
 * The order that a request refers to.
 *
 * @module
 */
import type { AcceptedCall } from '../check-request.js'
import type { Fields } from '../fields.js'
import { refuse } from '../refusal.js'
import type { Order } from '../transactions.js'

/**
 * Finds the order by the gateway's id, by the merchant's, or by both, which must then agree.
 *
 * @throws {@link RefusedRequest} when there is none.
 */
export function findOrder({ fields, gateway }: AcceptedCall): Order {
  const { orderId, clientOrderId } = fields
  const { orders } = gateway
  const order = orderId === undefined ? orders.byClientOrderId(clientOrderId ?? '') : orders.byOrderId(orderId)
  if (order !== undefined && (clientOrderId === undefined || order.clientOrderId === clientOrderId)) return order
  return unknownOrder(fields, order)
}

/**
 * Refuses a request about an order that nobody knows.
 *
 * @param other The order that has the gateway's id of the request, if one has.
 * @throws {@link RefusedRequest} always.
 */
export function unknownOrder({ orderId, clientOrderId }: Fields, other?: Order): never {
  const ids = [
    ...(orderId === undefined ? [] : [`orderid "${orderId.slice(0, 40)}"`]),
    ...(clientOrderId === undefined ? [] : [`merchant order id "${clientOrderId.slice(0, 128)}"`]),
  ].join(' and ')
  const mixed = other === undefined ? '' : ' The orderid belongs to an order with another merchant order id.'
  refuse('unknown-order', `There is no order with ${ids}.${mixed}`)
}

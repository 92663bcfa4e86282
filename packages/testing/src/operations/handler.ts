import type { Order } from '../orders/order.js'
import { refuse } from '../replies/refusal.js'
import type { ReplyPairs } from '../replies/reply.js'
import type { AcceptedCall, GatewayState } from '../state/gateway-state.js'

/** Carries out one operation and builds its reply. It refuses the request before anything has changed. */
export type OperationHandler = (call: AcceptedCall) => ReplyPairs

/** Finds the order by the gateway's id, by the merchant's, or by both, which must then agree. */
export function findOrder(call: AcceptedCall): Order {
  const { orderId, clientOrderId } = call.fields
  const { orders } = call.gateway
  const order = orderId === undefined ? orders.byClientOrderId(clientOrderId ?? '') : orders.byOrderId(orderId)
  if (order !== undefined && (clientOrderId === undefined || order.clientOrderId === clientOrderId)) return order
  return unknownOrder(call, order)
}

/** @param other The order that has the gateway's id of the request, if one has. */
export function unknownOrder({ fields, gateway }: AcceptedCall, other?: Order): never {
  const { orderId, clientOrderId } = fields
  const ids = [
    ...(orderId === undefined ? [] : [`orderid "${orderId.slice(0, 40)}"`]),
    ...(clientOrderId === undefined ? [] : [`merchant order id "${clientOrderId.slice(0, 128)}"`]),
  ].join(' and ')
  const mixed = other === undefined ? '' : ' The orderid belongs to an order with another merchant order id.'
  const rounded = other === undefined && orderId !== undefined ? becameAnother(orderId, gateway) : undefined
  const trap =
    rounded === undefined
      ? ''
      : ` There is order ${rounded.orderId}, which JSON.parse turns into ${Number(rounded.orderId)}: a JavaScript number ` +
        'cannot hold it. Read order ids as text, with all their digits.'
  refuse('unknown-order', `There is no order with ${ids}.${mixed}${trap}`)
}

/** The order whose id, read as a JavaScript number, is the same number as the one that was asked about. */
function becameAnother(orderId: string, { orders, settings }: GatewayState): Order | undefined {
  const asked = Number(orderId)
  if (!(asked > Number.MAX_SAFE_INTEGER)) return undefined
  return orders
    .orders()
    .find(order => order.login === settings.login && order.orderId !== orderId && Number(order.orderId) === asked)
}

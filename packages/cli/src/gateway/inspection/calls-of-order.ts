/**
 * Which request is about which order.
 *
 * @module
 */

import type { Call } from '@tillkit/testing'
import { findRoute, type GatewayState, merchantGateway, type Order, readFields } from '@tillkit/testing/gateway'

/** The calls of the log about an order, oldest first. */
export const callsOfOrder = (order: Order, gateway: GatewayState): readonly Call[] =>
  gateway.log.list().filter(call => orderOfCall(call, gateway)?.orderId === order.orderId)

/** The order that a call is about, if there is one: of the merchant who has the endpoint of its path. */
export function orderOfCall(call: Call, gateway: GatewayState): Order | undefined {
  const route = findRoute(call.path, gateway.settings)
  if (route.kind !== 'operation') return undefined
  const { orders, settings } = merchantGateway(route, gateway)
  const fields = readFields(call.fields, { row: route.row, profile: settings.profile })
  const { clientOrderId = '', orderId = call.reply?.[settings.profile.replyFields.value.orderId[0] ?? ''] } = fields
  return orderId === undefined ? orders.byClientOrderId(clientOrderId) : orders.byOrderId(orderId)
}

import type { GatewayState } from '../fake/gateway-state.js'
import { type OrderView, orderView } from './order-view.js'

/** The orders of a gateway. */
export interface GatewayOrders {
  /** Every order, oldest first. */
  list(): readonly OrderView[]
  /** Finds an order by the gateway's id or by the merchant's. */
  find(id: string): OrderView | undefined
}

/** Makes the way to look at orders. */
export function createGatewayOrders(state: GatewayState): GatewayOrders {
  return {
    list: () => state.orders.orders().map(order => orderView(order, state)),
    find(id) {
      const order = state.orders.byOrderId(id) ?? state.orders.byClientOrderId(id)
      return order === undefined ? undefined : orderView(order, state)
    },
  }
}

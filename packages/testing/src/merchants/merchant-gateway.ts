import type { GatewayState } from '../fake/gateway-state.js'
import type { OperationRoute } from '../fake/route.js'
import type { OrderBook } from '../orders/order-book.js'
import { settingsOfEndpoint } from './merchant-settings.js'

/** The gateway for whoever has the endpoint of the path; as it is when nobody has, so that the request is refused. */
export function merchantGateway({ endpointId, group, row }: OperationRoute, state: GatewayState): GatewayState {
  // Paths of some operations have no segment that tells a group from an endpoint.
  const mayBeGroup = state.settings.profile.groupPath.value.without.includes(row.name)
  const settings = settingsOfEndpoint({ endpointId, group, mayBeGroup }, state.settings)
  const known = kept.get(settings)
  if (known !== undefined && known.log === state.log) return known
  const own: GatewayState = { ...state, settings, orders: ownOrders(settings.login, state.orders) }
  kept.set(settings, own)
  return own
}

const kept = new WeakMap<GatewayState['settings'], GatewayState>()

/** What one merchant sees of the orders and cards. */
function ownOrders(login: string, all: OrderBook): OrderBook {
  const key = (name: string): string => `${login}\n${name}`
  return {
    ...all,
    byOrderId(orderId) {
      const order = all.byOrderId(orderId)
      return order?.login === login ? order : undefined
    },
    byClientOrderId: clientOrderId => all.byClientOrderId(clientOrderId, login),
    storeCardRef: (cardRefId, card) => all.storeCardRef(key(cardRefId), card),
    cardRef: cardRefId => all.cardRef(key(cardRefId)),
    cardRefIds: () =>
      all.cardRefIds().flatMap(each => (each.startsWith(key('')) ? [each.slice(login.length + 1)] : [])),
    storeRecurringPayment: (id, card) => all.storeRecurringPayment(key(id), card),
    recurringPayment: id => all.recurringPayment(key(id)),
  }
}

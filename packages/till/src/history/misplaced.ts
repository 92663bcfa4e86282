import { type Fact, type FactOfOrder, isNameOf, type OrderName } from '../state/facts.js'
import { isId, isMaybe, isName, isObjectOf } from './checks.js'

/** An order, as far as the facts before one have told of it. */
export interface Begun {
  readonly login: string
  readonly clientOrderId: string | undefined
  orderId: string | undefined
  stages: number
  readonly requests: Set<string>
}

/** Whether an order has ids. */
export const isNewOrder = isObjectOf<OrderName>({ login: isName, clientOrderId: isMaybe(isId), orderId: isMaybe(isId) })

/** The field with which a fact names an order, a request or a stage that no fact before it has told of, if it does. */
export function misplacedIn(fact: Fact, orders: Begun[]): string | undefined {
  if (!('order' in fact)) return undefined
  const known = begunBy(fact.order, orders)
  if (known !== undefined) return misplacedOf(known, fact, orders)
  const { login, clientOrderId, orderId } = fact.order
  const isNamed = (clientOrderId ?? orderId) !== undefined || fact.kind === 'requested' || fact.kind === 'begun'
  if (!isNamed || !isNewOrder(fact.order)) return 'order'
  const begun = { login, clientOrderId, orderId, stages: 0, requests: new Set<string>() }
  orders.push(begun)
  return misplacedOf(begun, fact, orders)
}

/** The order that has begun under a name. */
export const begunBy = (name: OrderName, orders: readonly Begun[]): Begun | undefined =>
  orders.find(each => isNameOf(name, each))

function misplacedOf(order: Begun, fact: FactOfOrder, orders: readonly Begun[]): string | undefined {
  const { requests } = order
  switch (fact.kind) {
    case 'requested': {
      const { reservation } = fact.attempt
      const isThere = orders.some(each => each.requests.has(reservation))
      requests.add(reservation)
      return isThere || begunBy(fact.attempt, orders) !== order ? 'attempt' : undefined
    }
    case 'answered':
      order.orderId = fact.orderId ?? order.orderId
      // An answer that gave an id stays when its request makes way.
      return fact.orderId !== undefined || requests.has(fact.request) ? undefined : 'request'
    case 'never-seen':
    case 'overdue':
      return requests.has(fact.request) ? undefined : 'request'
    case 'status': {
      const { stage = 0, said, corrected, restated, amountCame, firstAt } = fact
      order.orderId = fact.orderId ?? order.orderId
      order.stages = Math.max(order.stages, stage)
      return stage === 0 && (said ?? corrected ?? restated ?? amountCame ?? firstAt) !== undefined ? 'stage' : undefined
    }
    case 'delivered':
    case 'settled':
      return misplacedStage(order, fact)
    default:
      return undefined
  }
}

export const misplacedStage = (order: Begun | undefined, { stage }: { readonly stage: number }): string | undefined =>
  order === undefined ? 'order' : stage > order.stages ? 'stage' : undefined

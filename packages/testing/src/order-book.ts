/**
 * What the gateway remembers: orders, hosted pages, stored cards, subscriptions.
 *
 * @module
 */
import type { StoredCard } from './card.js'
import type { Order } from './transactions.js'

/** A hosted page that waits for a customer, or has had one. */
export interface HostedForm {
  readonly token: string
  readonly orderId: string
  readonly kind: 'card' | 'payout'
  /** `password`: the card is known and 3DS asks for the password. `done`: nothing more can be entered. */
  readonly step: 'input' | 'password' | 'done'
}

/** The memory of one gateway. */
export interface OrderBook {
  /** Adds an order or replaces the one with the same id. */
  put(order: Order): void
  byOrderId(orderId: string): Order | undefined
  byClientOrderId(clientOrderId: string): Order | undefined
  /** Everything the merchant's order id was used for, orders and subscriptions. */
  isTaken(clientOrderId: string): boolean
  orders(): readonly Order[]
  putForm(form: HostedForm): void
  form(token: string): HostedForm | undefined
  storeCardRef(cardRefId: string, card: StoredCard): void
  cardRef(cardRefId: string): StoredCard | undefined
  cardRefIds(): readonly string[]
  storeRecurringPayment(id: string, card: StoredCard): void
  /** Marks a merchant's order id as used by something that is no order. */
  take(clientOrderId: string): void
  recurringPayment(id: string): StoredCard | undefined
  clear(): void
}

/** Makes an empty memory. */
export function createOrderBook(): OrderBook {
  const orders = new Map<string, Order>()
  const orderIds = new Map<string, string>()
  const forms = new Map<string, HostedForm>()
  const cardRefs = new Map<string, StoredCard>()
  const recurringPayments = new Map<string, StoredCard>()
  const taken = new Set<string>()
  const byOrderId = (orderId: string) => orders.get(orderId)
  return {
    put(order) {
      orders.set(order.orderId, order)
      orderIds.set(order.clientOrderId, order.orderId)
      taken.add(order.clientOrderId)
    },
    byOrderId,
    byClientOrderId: clientOrderId => byOrderId(orderIds.get(clientOrderId) ?? ''),
    isTaken: clientOrderId => taken.has(clientOrderId),
    orders: () => [...orders.values()],
    putForm: form => void forms.set(form.token, form),
    form: token => forms.get(token),
    storeCardRef: (cardRefId, card) => void cardRefs.set(cardRefId, card),
    cardRef: cardRefId => cardRefs.get(cardRefId),
    cardRefIds: () => [...cardRefs.keys()],
    storeRecurringPayment: (id, card) => void recurringPayments.set(id, card),
    take: clientOrderId => void taken.add(clientOrderId),
    recurringPayment: id => recurringPayments.get(id),
    clear() {
      for (const map of [orders, orderIds, forms, cardRefs, recurringPayments]) map.clear()
      taken.clear()
    },
  }
}

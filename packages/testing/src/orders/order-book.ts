import type { StoredCard } from './card.js'
import { hasEnded, type Order } from './order.js'

/** A hosted page that waits for a customer, or has had one. */
export interface HostedForm {
  readonly token: string
  readonly orderId: string
  readonly kind: 'card' | 'payout'
  /** `password`: the card is known and 3DS asks for the password. `done`: nothing more can be entered. */
  readonly step: 'input' | 'password' | 'done'
  /** From then on nothing can be entered, in milliseconds since the epoch. */
  readonly endsAt: number
}

type StoredCardKind = 'cardRef' | 'recurringPayment'

/** The memory of one gateway. Where a login may be given, leaving it out means any merchant. */
export type OrderBook = ReturnType<typeof createOrderBook>

/** @param size Orders that are kept, and as many stored cards, subscriptions and hosted pages. */
export function createOrderBook({ size, now }: { readonly size: number; readonly now: () => number }) {
  const orders = new Map<string, Order>()
  /** By login, then by the merchant's order id. */
  const merchants = new Map<string, Map<string, string | undefined>>()
  const forms = new Map<string, HostedForm>()
  /** Tokens by the gateway's id of the order. */
  const tokens = new Map<string, string>()
  const cards = { cardRef: new Map<string, StoredCard>(), recurringPayment: new Map<string, StoredCard>() }
  const byOrderId = (orderId: string) => orders.get(orderId)
  const idsOf = (login: string): Map<string, string | undefined> => {
    const ids = merchants.get(login) ?? new Map<string, string | undefined>()
    merchants.set(login, ids)
    return ids
  }
  const drop = (order: Order): void => {
    orders.delete(order.orderId)
    const ids = idsOf(order.login)
    if (ids.get(order.clientOrderId) === order.orderId) ids.delete(order.clientOrderId)
  }
  /**
   * Drops a hundredth at once, so that it is seldom done: the oldest that have ended, among a tenth of all. If none of
   * those has, the oldest are dropped too: orders that never end must not fill the memory.
   */
  const evict = (): void => {
    const most = Math.max(1, Math.floor(size / 100))
    const oldest = [...orders.values()].slice(0, Math.max(1_000, most * 10))
    const ended = oldest.filter(order => order.stages.every(stage => hasEnded(stage, now())))
    for (const order of (ended.length > 0 ? ended : oldest).slice(0, most)) drop(order)
  }
  return {
    /** Adds an order or replaces the one with the same id. */
    put(order: Order): void {
      // A change of an older order does not make it the latest.
      if (!orders.has(order.orderId)) idsOf(order.login).set(order.clientOrderId, order.orderId)
      orders.set(order.orderId, order)
      if (orders.size > size) evict()
    },
    byOrderId,
    /** The latest of those with the merchant's order id. */
    byClientOrderId(clientOrderId: string, login?: string): Order | undefined {
      const tables = login === undefined ? [...merchants.values()] : [idsOf(login)]
      return byOrderId(tables.map(ids => ids.get(clientOrderId)).find(id => id !== undefined) ?? '')
    },
    /** Whether an order or a subscription has the merchant's order id. */
    isTaken: (clientOrderId: string, login: string): boolean => idsOf(login).has(clientOrderId),
    orders: (): readonly Order[] => [...orders.values()],
    putForm(form: HostedForm): void {
      keep(forms, { key: form.token, value: form, size })
      keep(tokens, { key: form.orderId, value: form.token, size })
    },
    form: (token: string) => forms.get(token),
    formOf: (orderId: string) => forms.get(tokens.get(orderId) ?? ''),
    storeCard: (kind: StoredCardKind, id: string, card: StoredCard) =>
      keep(cards[kind], { key: id, value: card, size }),
    card: (kind: StoredCardKind, id: string) => cards[kind].get(id),
    cardIds: (kind: StoredCardKind): readonly string[] => [...cards[kind].keys()],
    /** Marks a merchant's order id as used without an order. An order that has the id is still found by it. */
    take(clientOrderId: string, login: string): void {
      const ids = idsOf(login)
      if (!ids.has(clientOrderId)) ids.set(clientOrderId, undefined)
    },
    clear(): void {
      for (const map of [orders, merchants, forms, tokens, ...Object.values(cards)]) map.clear()
    },
  }
}

function keep<Value>(
  map: Map<string, Value>,
  { key, value, size }: { readonly key: string; readonly value: Value; readonly size: number },
): void {
  map.set(key, value)
  const oldest = map.size > size ? map.keys().next() : undefined
  if (oldest?.done === false) map.delete(oldest.value)
}

/**
 * What the shop knows by itself: what was chosen, and what became of the parcel. What became of the money is in the store, see
 * payment.ts.
 *
 * @module
 */
import type { Product } from './catalog.js'
import type { WireEntry } from './wire-log.js'

/** One order of the shop. */
export interface ShopOrder {
  readonly clientOrderId: string
  readonly product: Product
  readonly kind: 'sale' | 'preauth'
  /** Written by the handler of outcomes, and by nothing else. */
  readonly parcel: 'not packed' | 'packed' | 'stopped'
  /** That no payment was made, and why, in words for the customer. It is set only where that is known: refused, or never sent. */
  readonly notMade?: string
  /** Why the last click did nothing; shown once. */
  readonly notice?: string
  /** Everything that went over the wire for it, in time order. */
  readonly wire: readonly WireEntry[]
}

/** Keeps orders by the merchant's order id. */
export interface Orders {
  /** Makes an order; where one was made for the same ticket, product and kind before, that one. */
  create(product: Product, kind: ShopOrder['kind'], ticket: string): ShopOrder
  find(clientOrderId: string): ShopOrder | undefined
  /** Replaces an order by what `change` makes of it. Unknown ids are left alone. */
  update(clientOrderId: string, change: (current: ShopOrder) => ShopOrder): void
  /** Newest first. */
  latest(count: number): readonly ShopOrder[]
}

/** Orders in memory. `newId` gives a merchant's order id that was never used before. */
export function memoryOrders({ newId }: { readonly newId: () => string }): Orders {
  const orders = new Map<string, ShopOrder>()
  const tickets = new Map<string, string>()
  return {
    create(product, kind, ticket) {
      const place = JSON.stringify([ticket, product.id, kind])
      const known = ticket === '' ? undefined : orders.get(tickets.get(place) ?? '')
      if (known !== undefined) return known
      const clientOrderId = newId()
      tickets.set(place, clientOrderId)
      const created: ShopOrder = { clientOrderId, product, kind, parcel: 'not packed', wire: [] }
      orders.set(clientOrderId, created)
      return created
    },
    find: clientOrderId => orders.get(clientOrderId),
    update(clientOrderId, change) {
      const current = orders.get(clientOrderId)
      if (current !== undefined) orders.set(clientOrderId, change(current))
    },
    latest: count => [...orders.values()].reverse().slice(0, count),
  }
}

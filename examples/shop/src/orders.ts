/**
 * The shop's orders, kept in memory: an example shop forgets when it stops. A real one keeps them in its database.
 *
 * @module
 */
import { type Expectation, emptyOrder, type Order, type RememberedAttempt } from '@tillkit/protocol'
import type { Product } from './catalog.js'
import type { WireEntry } from './wire-log.js'

/** A question that is still open: what was sent, and what would answer it. */
export interface OpenQuestion {
  readonly operation: 'sale' | 'preauth' | 'capture' | 'void' | 'return'
  readonly expected: Expectation
  /** `sending` until the request is answered; `unknown` when no answer came: it must not be sent again. */
  readonly state: 'sending' | 'sent' | 'unknown'
  /** The request of a change that was not answered, for `client.resolve`. */
  readonly attempt?: RememberedAttempt
  /** It asked for a page to pay on. Without the address of that page the customer cannot have paid there. */
  readonly isForm?: boolean
  /** Status was asked about it, and cannot tell: a person has to ask the gateway. We keep asking all the same. */
  readonly needsPerson?: boolean
}

/** That no payment was made, in words for the customer. It is set only where that is known: refused, or never sent. */
export interface NotMade {
  readonly label: 'Refused' | 'Not sent'
  readonly sentence: string
}

/** What the shop knows of one order. */
export interface ShopOrder {
  readonly product: Product
  readonly kind: 'sale' | 'preauth'
  readonly order: Order
  /** The payment itself. */
  readonly payment: OpenQuestion
  readonly open: readonly OpenQuestion[]
  /** The gateway approved something else than was asked for, or took a final word back: nothing may be delivered. */
  readonly isDisputed: boolean
  /** What became of the request for the payment, where it was refused or never sent. A stage says more. */
  readonly notMade?: NotMade
  /** What the merchant should know, oldest first. */
  readonly notes: readonly string[]
  /** Why the last click did nothing; shown once. */
  readonly notice?: string | undefined
  /** The gateway's page, for a customer who left it before paying. */
  readonly formUrl?: string
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
      const { price: amount, currency } = product
      const payment: OpenQuestion = { operation: kind, expected: { stages: [kind], amount, currency }, state: 'sent' }
      const created: ShopOrder = {
        product,
        kind,
        order: emptyOrder({ clientOrderId }),
        payment,
        open: [payment],
        isDisputed: false,
        notes: [],
        wire: [],
      }
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

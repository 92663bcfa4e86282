/**
 * What the shop knows by itself: what was chosen, and what became of the parcel. It is a table beside those of the store, in one file.
 * What became of the money is in the store, see payment.ts.
 *
 * @module
 */
import Database from 'libsql'
import { findProduct, type Product } from './catalog.js'
import { type WireEntry, withEntry } from './wire-log.js'

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
  /** What went over the wire for it since the shop was started, in time order. */
  readonly wire: readonly WireEntry[]
}

/** Keeps orders by the merchant's order id. */
export interface Orders {
  /** Makes an order; where one was made for the same ticket, product and kind before, that one. */
  create(product: Product, kind: ShopOrder['kind'], ticket: string): ShopOrder
  find(clientOrderId: string): ShopOrder | undefined
  /** Notes why no payment was made. */
  notMade(clientOrderId: string, why: string): void
  /** Notes why a click did nothing; null once that was shown. */
  notice(clientOrderId: string, why: string | null): void
  /** Notes what went over the wire. Unknown orders have no log. */
  log(clientOrderId: string, entry: WireEntry): void
  /** Newest first. */
  latest(count: number): readonly ShopOrder[]
  close(): void
}

const table = `create table if not exists orders (
  id text primary key,
  product text not null,
  kind text not null,
  ticket text,
  parcel text not null default 'not packed',
  not_made text,
  notice text,
  unique (ticket, product, kind)
)`

interface Row extends Pick<ShopOrder, 'kind' | 'parcel'> {
  readonly id: string
  readonly product: string
  readonly not_made: string | null
  readonly notice: string | null
}

/**
 * Opens the orders in a file. The store has the same file open by the same library, as it must be within one process.
 *
 * @param newId Gives a merchant's order id that was never used before.
 */
export function openOrders(file: string, { newId }: { readonly newId: () => string }): Orders {
  const database = new Database(file)
  // First the time to wait for whoever writes, in milliseconds.
  database.exec('pragma busy_timeout = 10000')
  database.exec('pragma journal_mode = WAL')
  database.exec(table)
  const wires = new Map<string, readonly WireEntry[]>()
  const rows = (sql: string, ...values: readonly (string | number | null)[]) =>
    database.prepare(sql).all(...values) as Row[]
  const write = (sql: string, ...values: readonly (string | null)[]) => void database.prepare(sql).run(...values)

  const orderOf = ({ id, product: productId, not_made: notMade, notice, kind, parcel }: Row): ShopOrder => {
    const product = findProduct(productId)
    if (product === undefined) throw new Error(`Order ${id} is for ${productId}, which is no longer in the catalog.`)
    return {
      clientOrderId: id,
      product,
      kind,
      parcel,
      ...(notMade === null ? {} : { notMade }),
      ...(notice === null ? {} : { notice }),
      wire: wires.get(id) ?? [],
    }
  }
  const find = (id: string): ShopOrder | undefined => rows('select * from orders where id = ?', id).map(orderOf)[0]

  return {
    create(product, kind, ticket) {
      // An update that changes nothing gives the row that was there.
      const [row] = rows(
        `insert into orders (id, product, kind, ticket) values (?, ?, ?, ?)
         on conflict (ticket, product, kind) do update set kind = excluded.kind returning *`,
        ...[newId(), product.id, kind, ticket === '' ? null : ticket],
      )
      if (row === undefined) throw new Error('The order was not written.')
      return orderOf(row)
    },
    find,
    notMade: (id, why) => write('update orders set not_made = ? where id = ?', why, id),
    notice: (id, why) => write('update orders set notice = ? where id = ?', why, id),
    log(id, entry) {
      const found = find(id)
      if (found !== undefined) wires.set(id, withEntry(found.wire, entry))
    },
    latest: count => rows('select * from orders order by rowid desc limit ?', count).map(orderOf),
    close: () => void database.close(),
  }
}

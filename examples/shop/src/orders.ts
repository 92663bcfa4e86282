/**
 * What the shop knows by itself: what was chosen, what it was told of the payment, and what became of the parcel. It is one table beside
 * those of the store; what became of the money is in the store.
 */
import type { TillOutcome } from '@tillkit/till'
import { findProduct, type Product } from './catalog.js'
import type { Row, Sql, Transaction } from './database.js'

/** One order of the shop. */
export interface ShopOrder {
  /** The reference of its payment. */
  readonly id: string
  readonly product: Product
  readonly kind: 'sale' | 'preauth'
  /** Makes a second click on the same button the same order. */
  readonly ticket: string
  /** What the handler was told last; undefined until it was told anything. */
  readonly told: TillOutcome['kind'] | undefined
  readonly parcel: 'not packed' | 'packed' | 'stopped'
  /** Why the customer's last click did nothing; shown once. */
  readonly notice: string | undefined
  /** Why the merchant's did. */
  readonly merchantNotice: string | undefined
}

/** Whose click it was, and on whose page it is said why it did nothing. */
export type Side = 'customer' | 'merchant'

/** Keeps orders. */
export interface Orders {
  /** Makes an order; where one was made for the same ticket, product and kind before, that one. */
  create(product: Product, kind: ShopOrder['kind'], ticket: string): Promise<ShopOrder>
  find(id: string): Promise<ShopOrder | undefined>
  /** Notes why a click did nothing; null once that was shown. */
  notice(id: string, side: Side, why: string | null): Promise<void>
  /** Newest first. */
  latest(count: number): Promise<readonly ShopOrder[]>
}

/** What it takes to keep orders. */
export interface OrdersOptions {
  readonly sql: Sql
  /** Gives an order id that was never used before. */
  readonly newId: () => string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** Opens the orders; their table is made where it is missing. */
export async function openOrders({ sql, newId, clock }: OrdersOptions): Promise<Orders> {
  await sql`create table if not exists orders (
    id text primary key, product text not null, kind text not null, ticket text not null, placed bigint not null,
    told text, parcel text not null default 'not packed', notice text, merchant_notice text,
    unique (ticket, product, kind)
  )`
  return {
    async create(product, kind, ticket) {
      const id = newId()
      const [row] = await sql`insert into orders (id, product, kind, ticket, placed)
        values (${id}, ${product.id}, ${kind}, ${ticket === '' ? id : ticket}, ${clock()})
        on conflict (ticket, product, kind) do update set kind = excluded.kind returning *`
      if (row === undefined) throw new Error('The order was not written.')
      return orderOf(row)
    },
    find: async id => (await sql`select * from orders where id = ${id}`).map(orderOf)[0],
    async notice(id, side, why) {
      if (side === 'customer') await sql`update orders set notice = ${why} where id = ${id}`
      else await sql`update orders set merchant_notice = ${why} where id = ${id}`
    },
    latest: async count => (await sql`select * from orders order by placed desc, id desc limit ${count}`).map(orderOf),
  }
}

/** Outcomes after which nothing may be delivered any more. */
const stopping: ReadonlySet<TillOutcome['kind']> = new Set(['disputed', 'chargeback', 'surplus'])

/** What the shop does about an outcome. The till tells each one once, in the transaction that notes that it was told. */
export async function noteOutcome({ kind, payment }: TillOutcome, transaction: Transaction): Promise<void> {
  const id = payment.reference
  // A capture, return or void failed: what was before it stands.
  if (kind === 'failed') return
  await transaction.run`update orders set told = ${kind} where id = ${id}`
  if (kind === 'paid')
    await transaction.run`update orders set parcel = 'packed' where id = ${id} and parcel = 'not packed'`
  if (stopping.has(kind)) await transaction.run`update orders set parcel = 'stopped' where id = ${id}`
}

/** Columns that hold one of a few words hold what this file wrote. */
type OrderRow = Omit<ShopOrder, 'product' | 'told' | 'notice' | 'merchantNotice'> & {
  readonly product: string
  readonly told: TillOutcome['kind'] | null
  readonly notice: string | null
  readonly merchant_notice: string | null
}

function orderOf(row: Row): ShopOrder {
  const { id, product: productId, kind, ticket, told, parcel, notice, merchant_notice } = row as unknown as OrderRow
  const product = findProduct(productId)
  if (product === undefined) throw new Error(`Order ${id} is for ${productId}, which is no longer in the catalog.`)
  const notices = { notice: notice ?? undefined, merchantNotice: merchant_notice ?? undefined }
  return { id, product, kind, ticket, told: told ?? undefined, parcel, ...notices }
}

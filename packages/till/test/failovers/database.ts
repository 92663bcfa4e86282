/**
 * The database of the shops, on whichever server is the primary.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { createFakeGateway } from '@tillkit/testing'
import { migrate } from '@tillkit/till/postgres'
import pg from 'pg'
import type { Stored } from '../../src/store/store.js'
import { prepareMerchant, type ToldRow } from '../kills/merchant.js'
import type { ServerPair } from './pair.js'
import { auditRound, type Judgement, keyOf } from './round-books.js'

/** The database, seen from outside. */
export interface ShopDatabase {
  readonly schema: string
  /** Makes the tables of the store and of the merchant. */
  prepare(): Promise<void>
  documents(keys: readonly string[]): Promise<ReadonlyMap<string, Stored>>
  /**
   * Waits until payments are over and everything about them was told.
   *
   * @param paid Resolves when their customers have gone.
   * @returns What is wrong with them. Where they do not come to their end: not over.
   */
  untilOver(paid: Promise<unknown>, references: readonly string[]): Promise<Judgement>
}

/** A payment that is not over after so many looks hangs: each takes more than 0.2 s. */
const mostLooks = 300

export function shopDatabase(pair: ServerPair, gateway: ReturnType<typeof createFakeGateway>): ShopDatabase {
  const schema = 'failovers'
  const query = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: pair.primary().url })
    client.on('error', () => {})
    await client.connect()
    return client.query<Row>(text, [...values]).then(
      async ({ rows }) => {
        await client.end()
        return rows
      },
      async error => {
        await client.end()
        throw error
      },
    )
  }
  const documents = async (keys: readonly string[]) => {
    const text = `select key, version::int, write_id as "writeId", body from ${schema}.documents where key = any($1)`
    const rows = await query<Stored>(text, [keys])
    return new Map(rows.map(row => [row.key, row]))
  }
  const told = async (references: readonly string[]) => {
    const text = 'select reference, client_order_id, stage, kind from told where reference = any($1) order by id'
    const rows = await query<ToldRow & { readonly reference: string }>(text, [references])
    return new Map(references.map(each => [each, rows.filter(({ reference }) => reference === each)]))
  }
  return {
    schema,
    documents,
    async prepare() {
      const pool = new pg.Pool({ connectionString: pair.primary().url, max: 2 })
      await migrate(pool, { schema }).finally(() => pool.end())
      await prepareMerchant({ engine: 'postgres', url: pair.primary().url, schema })
    },
    async untilOver(paid, references) {
      let arePaid = false
      void paid.then(() => {
        arePaid = true
      })
      for (let looks = 1; ; looks += 1) {
        // Callbacks that nobody took come again, until everything was told.
        await gateway.clock.advance(60 * 60_000)
        await gateway.callbacks.idle()
        const orders = gateway.orders.list()
        const rows = await told(references)
        const judged = auditRound({ references, orders, rows, documents: await documents(references.map(keyOf)) })
        if ((arePaid && judged.isOver) || looks === mostLooks) return { ...judged, isOver: arePaid && judged.isOver }
        await pause(200)
      }
    },
  }
}

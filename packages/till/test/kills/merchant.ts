/**
 * The merchant keeps, beside the documents, one row for each time that the handler was told, written in the transaction of the
 * telling. Nothing in the table keeps it from having a row twice.
 *
 * @module
 */

import Database from 'libsql'
import pg from 'pg'
import type { ReceivedOutcome } from '../../src/rules/delivery/outcome.js'
import type { LifeOptions } from './messages.js'

/** A row of the merchant's. */
export interface ToldRow {
  readonly client_order_id: string
  readonly stage: string
  readonly kind: string
}

type Place = LifeOptions['store']

const table =
  'create table if not exists told (id integer, reference text, client_order_id text, stage text, kind text)'

/** Makes the table. On PostgreSQL it is in the schema `public`, where the connection looks. */
export async function prepareMerchant(place: Place): Promise<void> {
  await withDatabase(place, run =>
    run(table.replace('id integer', place.engine === 'sqlite' ? 'id integer primary key' : 'id serial')),
  )
}

/** Rows of a payment, in the order in which they were written. */
export const toldRows = (place: Place, reference: string): Promise<readonly ToldRow[]> =>
  withDatabase(place, run =>
    run(`select client_order_id, stage, kind from told where reference = '${reference}' order by id`),
  )

/** The handler's writes in the transaction of the telling. */
export async function noteTold(outcome: ReceivedOutcome, transaction: unknown): Promise<void> {
  const { reference, order, stage, kind } = outcome
  const { run } = transaction as { run(text: TemplateStringsArray, ...values: readonly string[]): unknown }
  await run`insert into told (reference, client_order_id, stage, kind) values (${reference}, ${order.clientOrderId}, ${stage.stage}, ${kind})`
}

/** The mistake that is planted as `outside`: the row is written by itself. */
export async function noteToldOutside(place: Place, { reference, order, stage, kind }: ReceivedOutcome): Promise<void> {
  const values = [reference, order.clientOrderId, stage.stage, kind].map(each => `'${each}'`).join(', ')
  await withDatabase(place, run => run(`insert into told (reference, client_order_id, stage, kind) values (${values})`))
}

async function withDatabase<Result>(
  place: Place,
  work: (run: (sql: string) => Promise<readonly ToldRow[]>) => Promise<Result>,
): Promise<Result> {
  if (place.engine === 'sqlite') {
    const database = new Database(place.file)
    try {
      database.pragma('busy_timeout = 20000')
      return await work(async sql => {
        const statement = database.prepare(sql)
        if (sql.startsWith('select')) return statement.all() as readonly ToldRow[]
        statement.run()
        return []
      })
    } finally {
      database.close()
    }
  }
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ connectionString: place.url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(async sql => (await client.query(sql)).rows)
    } catch (error) {
      // The server may have been killed for another lane.
      if (tries === 20) throw error
      await new Promise(resolve => setTimeout(resolve, 200))
    } finally {
      await client.end().catch(() => {})
    }
  }
}

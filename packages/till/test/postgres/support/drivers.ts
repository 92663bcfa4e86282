/**
 * Drivers of two functions, as users write them.
 *
 * @module
 */
import createKnex, { type Knex } from 'knex'
import type { Pool } from 'pg'
import postgres from 'postgres'
import type { PostgresDriver, PostgresRow } from '../../../src/postgres.js'

/** postgres.js, and what ends it. */
export function postgresJsDriver(url: string) {
  const sql = postgres(url, { max: 8, fetch_types: false, onnotice: () => {} })
  type Client = postgres.TransactionSql<Record<string, never>>
  const driver: PostgresDriver<Client> = {
    query: (text, parameters) => sql.unsafe<PostgresRow[]>(text, parameters as string[]),
    transaction: async work => {
      const result = await sql.begin('isolation level read committed', async client => ({
        is: await work((text, parameters) => client.unsafe<PostgresRow[]>(text, parameters as string[]), client),
      }))
      return result.is as Awaited<ReturnType<typeof work>>
    },
  }
  return { driver, end: () => sql.end() }
}

const silent = { warn() {}, error() {}, debug() {}, deprecate() {} }

/** Knex, whose raw statements take `?` in place of `$1`. */
export function knexDriver(url: string) {
  const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 8 }, log: silent })
  const queryOn =
    (on: Knex): PostgresDriver['query'] =>
    async (text, parameters) => {
      const bindings: unknown[] = []
      const raw = text.replace(/\$(\d+)/g, (_, number: string) => {
        bindings.push(parameters[Number(number) - 1])
        return '?'
      })
      return (await on.raw(raw, bindings as Knex.RawBinding[])).rows
    }
  const driver: PostgresDriver<Knex.Transaction> = {
    query: queryOn(knex),
    transaction: work =>
      knex.transaction(transaction => work(queryOn(transaction), transaction), { isolationLevel: 'read committed' }),
  }
  return { driver, end: () => knex.destroy() }
}

/** One statement that was sent, and the keys of the entries in it. */
export interface Sent {
  readonly text: string
  readonly keys: readonly string[]
}

/** A driver over a pool that notes what writes, and calls the test before. */
export function recordingDriver(pool: Pool, before: (sent: Sent) => Promise<void> | void = () => {}) {
  const sent: Sent[] = []
  const note = async (text: string, parameters: readonly unknown[]) => {
    const [first] = parameters
    const isWrite = typeof first === 'string' && first.startsWith('[{')
    if (!isWrite) return
    const statement = { text, keys: (JSON.parse(first) as readonly { readonly key: string }[]).map(({ key }) => key) }
    sent.push(statement)
    await before(statement)
  }
  const driver: PostgresDriver = {
    query: async (text, parameters) => (await pool.query(text, [...parameters])).rows,
    transaction: async work => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(async (text, parameters) => {
          await note(text, parameters)
          return (await client.query(text, [...parameters])).rows
        }, client)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }
  return { driver, sent }
}

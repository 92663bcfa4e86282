import { insertOrder, markPaid, shopPool } from '../shop-table.js'
import { statements } from '../statements.js'

const table = 'create table documents (key text primary key, body text not null)'
const one = `insert into documents (key, body) values ($1, $2)
on conflict (key) do update set body = excluded.body`
const many = `insert into documents (key, body) select * from unnest($1::text[], $2::text[])
on conflict (key) do update set body = excluded.body`

/** PostgreSQL. What waits while a statement is under way goes with the next one; the commit with the merchant's row has a connection. */
export async function open({ isBatched, url }) {
  const pool = await shopPool(url)
  await pool.query(table)
  let waiting = []
  let isWriting = false

  async function flush() {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const values = [batch.map(({ key }) => key), batch.map(({ body }) => body)]
      await pool.query({ name: 'many', text: many, values })
      for (const { isWritten } of batch) isWritten()
    }
    isWriting = false
  }

  return {
    insertOrder: reference => insertOrder(pool, reference),
    write(key, body) {
      if (!isBatched) return pool.query({ name: 'one', text: one, values: [key, body] })
      const written = new Promise(resolve => waiting.push({ key, body, isWritten: resolve }))
      setImmediate(flush)
      return written
    },
    async writeWithOrder(key, body, amount) {
      const client = await pool.connect()
      await client.query('begin')
      await client.query({ name: 'paid', text: markPaid, values: [key, amount] })
      await client.query({ name: 'one', text: one, values: [key, body] })
      await client.query('commit')
      client.release()
    },
    statements,
  }
}

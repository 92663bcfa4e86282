/**
 * A process that says when it is ready, waits for a byte, takes what is due until nothing is, and prints the keys. Started by
 * take.soak.test.ts.
 *
 * @module
 */
import pg from 'pg'
import { postgresStore } from '../../../src/postgres.js'

const [url, schema] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 4 })
const store = postgresStore(pool, { schema })
const keys: string[] = []
await store.read('warm')
process.stdout.write('ready\n')
await new Promise(resolve => process.stdin.once('data', resolve))
for (;;) {
  const { items } = await store.take({ limit: 50, hold: 3_600_000 })
  if (items.length === 0) break
  keys.push(...items.map(({ key }) => key))
}
await store.close()
await pool.end()
process.stdout.write(`${JSON.stringify(keys)}\n`)
process.stdin.destroy()

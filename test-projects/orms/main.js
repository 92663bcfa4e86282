/** Runs the programs of docs/orms.md: as they stand on the page, and with a handler that fails once after it has written. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import createKnex from 'knex'
import { Kysely, PostgresDialect } from 'kysely'
import Database from 'libsql'
import pg from 'pg'

const page = readFileSync('orms.md', 'utf8')
const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code)
const [drizzle, kysely, knex, others] = blocks
assert.equal(blocks.length, 4)

// The PostgreSQL of the tests, which ends once its input does.
const words = ['--conditions=@tillkit/source', '--import', './scripts/source-loader.js']
const server = spawn(process.execPath, [...words, 'packages/till/test/serve-postgres.ts'], {
  cwd: process.env.REPOSITORY,
  env: { ...process.env, NODE_OPTIONS: '' },
  stdio: ['pipe', 'pipe', 'inherit'],
})
const url = String(await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])).trim()
const admin = new pg.Client(url)
await admin.connect()

/** Runs a program as a file of its own. @returns What it printed. */
async function run(name, code) {
  await admin.query(`create database ${name}`)
  process.env.DATABASE_URL = new URL(`/${name}`, url).href
  writeFileSync(`${name}.ts`, code.replaceAll("'kysely.db'", `'${name}.db'`))
  const { log } = console
  const printed = []
  console.log = (...line) => printed.push(line.join(' '))
  await import(`./${name}.ts`).finally(() => (console.log = log))
  return printed
}

/** What is in the merchant's tables, by a library that is not the ORM. */
async function rowsOf(name) {
  const text = 'select state, (select count(*) from parcels) as parcels from orders'
  if (name.startsWith('kysely')) return new Database(`${name}.db`, { timeout: 10_000 }).prepare(text).all()
  const client = new pg.Client(process.env.DATABASE_URL)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows.map(({ state, parcels }) => ({ state, parcels: Number(parcels) }))
}

/** A program whose handler calls `afterWriting` at its end, and which calls `afterPaying` before it looks. */
const watched = code =>
  code
    .replace(/^ {2}\},$/m, '    globalThis.afterWriting()\n  },')
    .replace(/^await till\.ask.*\n/m, '$&await globalThis.afterPaying({ till, gateway })\n')

for (const [name, code] of Object.entries({ drizzle, kysely, knex })) {
  assert.deepEqual(await run(name, code), ['paid 1'])

  let calls = 0
  globalThis.afterWriting = () => {
    calls += 1
    if (calls === 1) throw new Error('the label printer is away')
  }
  globalThis.afterPaying = async ({ till, gateway }) => {
    const failing = async () => (await till.report()).failing.items.map(each => `${each.reference} ${each.outcome}`)
    // The handler wrote, and threw: neither its rows nor the mark are there.
    assert.deepEqual(
      [await rowsOf(`${name}_fails`), await failing()],
      [[{ state: 'new', parcels: 0 }], ['order-7 paid']],
    )
    await till.tick()
    assert.deepEqual([await rowsOf(`${name}_fails`), await failing()], [[{ state: 'paid', parcels: 1 }], []])
    // Told: nobody is told again. Charged once.
    await till.tick()
    assert.equal(calls, 2)
    assert.deepEqual(
      gateway.orders.list().map(order => order.stages.map(({ status, amount }) => `${status} ${amount}`)),
      [['approved 20.00']],
    )
  }
  assert.deepEqual(await run(`${name}_fails`, watched(code)), ['paid 1'])
}

// What the page says of the other pairs, each in a transaction of its store.
writeFileSync('others.ts', others)
const { runDrizzle, runKnex } = await import('./others.ts')
const entry = () => ({ body: '{}', due: null, list: null })
const file = new Database('others.db', { timeout: 10_000 })
file.exec('create table orders (id text primary key, state text not null)')
const orders = sqliteTable('orders', { id: text().primaryKey(), state: text().notNull() })
const byDrizzle = drizzleProxy(() => assert.fail('Drizzle sent something itself'))
const byKnex = createKnex({ client: 'better-sqlite3', useNullAsDefault: true })
const onFile = sqliteStore('others.db', { driver: 'libsql' })
const work = async transaction => {
  await runDrizzle(transaction, byDrizzle.insert(orders).values({ id: 'order-7', state: 'new' }))
  await runKnex(transaction, byKnex('orders').where({ id: 'order-7' }).update({ state: 'paid' }))
}
await onFile.commit('k', work, entry)
assert.deepEqual(file.prepare('select * from orders').all(), [{ id: 'order-7', state: 'paid' }])

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const byKysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
await postgresStore(pool).commit(
  'k',
  async transaction => {
    const query = byKysely.updateTable('orders').set({ state: 'held' }).where('id', '=', 'order-7').returningAll()
    assert.deepEqual(await transaction.run(query.compile()), [{ id: 'order-7', state: 'held' }])
  },
  entry,
)
await byKysely.destroy()

await admin.end()
server.stdin.end()
await once(server, 'exit')

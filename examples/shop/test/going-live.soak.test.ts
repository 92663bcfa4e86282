/** Orders and payments in one PostgreSQL: the shop through a restart, and the programs of docs/going-live.md. */
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import type { Till } from '@tillkit/till'
import express, { type Express } from 'express'
import pg from 'pg'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { ownServer } from '../../../packages/till/test/postgres-server.js'
import { start } from '../src/start.js'

const out = join(dirname(fileURLToPath(import.meta.url)), '.going-live')
const page = readFileSync(new URL('../../../docs/going-live.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)

afterAll(() => rmSync(out, { recursive: true, force: true }))

/** The first test that asks starts the server; each has a database of its own. */
let starting: ReturnType<typeof ownServer> | undefined
afterAll(async () => (await starting)?.stop())

async function emptyDatabase(name: string): Promise<string> {
  starting ??= ownServer()
  const { url } = await starting
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return new URL(`/${name}`, url).href
}

const jug = {
  ...{ amount: '10.00', currency: 'EUR', orderDesc: 'A jug' },
  ...{ email: 'joan@customer.example', phone: '+493012345678', ipAddress: '203.0.113.7' },
  ...{ address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
}

/** Runs one block as a file of its own, with what is the reader's own replaced. @returns What it exports. */
async function run<Exports>(block: number, replaced: Readonly<Record<string, string>> = {}): Promise<Exports> {
  let code = blocks[block] ?? ''
  for (const [shown, ours] of Object.entries(replaced)) {
    expect(code).toContain(shown)
    code = code.replaceAll(shown, ours)
  }
  mkdirSync(out, { recursive: true })
  const file = join(out, `block-${block}.ts`)
  writeFileSync(file, code)
  return import(/* @vite-ignore */ file)
}

it('the shop on PostgreSQL: sells, goes on after a restart, and gives a part back once', async () => {
  const database = await emptyDatabase('shop')
  const gateway = createFakeGateway({ processingTime: 0 })
  onTestFinished(() => gateway.close())
  const first = await start({ gateway, database })
  const post = (shop: URL, path: string, fields: Record<string, string>) =>
    fetch(new URL(path, shop), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const basket = { product: 'rice-bowl', kind: 'sale', ticket: 't-1' }

  const page = await payAsCustomer(await post(first.shop, '/orders', basket), { gateway })
  await gateway.callbacks.idle()
  const [order] = await first.orders.latest(9)
  expect(page.html).toContain('role="status">Paid<')
  expect(order).toMatchObject({ kind: 'sale', told: 'paid', parcel: 'packed', notice: undefined })
  const id = order?.id ?? ''
  await first.close()

  // The gateway goes on where it listens.
  const { baseUrl } = gateway.clientOptions
  const address = { baseUrl, origin: baseUrl.origin, port: Number(baseUrl.port) }
  const second = await start({ gateway: { ...gateway, listen: async () => address }, database })
  onTestFinished(() => second.close())
  const again = await post(second.shop, '/orders', basket)
  expect(again.headers.get('location')).toBe(new URL(`/orders/${id}`, second.shop).href)
  const click = { amount: '4.50', click: 'k-1' }
  await Promise.all([1, 2, 3].map(() => post(second.shop, `/merchant/orders/${id}/return`, click)))
  expect(gateway.calls('return')).toHaveLength(1)
  expect(await second.orders.latest(9)).toHaveLength(1)
  expect(gateway.orders.list()).toHaveLength(1)
})

it('docs/going-live.md: keeps the orders of a shop in the database of its till, written with the mark that it was told', async () => {
  const url = await emptyDatabase('going_live')
  const gateway = createFakeGateway()
  await gateway.listen()
  onTestFinished(() => gateway.close())
  const site = express()
  const listening = site.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const connection = JSON.stringify(url)

  await run(1, { 'process.env.DATABASE_URL': connection })
  const database = new pg.Pool({ connectionString: url })
  onTestFinished(() => database.end())
  await database.query('create table orders (id text primary key, state text not null, note text)')
  await database.query("insert into orders values ('order-7', 'open', null), ('order-8', 'open', null)")

  const { baseUrl, login, controlKey } = gateway.clientOptions
  const { till, app, pool } = await run<{ till: Till; app: Express; pool: pg.Pool }>(0, {
    'process.env.DATABASE_URL': connection,
    'https://gate.example/paynet': baseUrl.href,
    'your-login': login,
    'process.env.TILLKIT_CONTROL_KEY': JSON.stringify(controlKey),
    "environment: 'production',": '',
    'https://shop.example': origin,
    'const pool': 'export const pool',
  })
  onTestFinished(() => pool.end())
  onTestFinished(() => till.close())
  site.use(app)
  site.get('/orders/:id', (_request, response) => void response.send('your page'))

  for (const [reference, cvv2] of [
    ['order-7', '123'],
    ['order-8', '101'],
  ] as const) {
    const { address } = await till.pay({ reference, ...jug })
    await payAsCustomer(address, { gateway, cvv2 })
  }
  const { rows } = await database.query('select id, state, note from orders order by id')
  expect(rows).toEqual([
    { id: 'order-7', state: 'paid', note: null },
    { id: 'order-8', state: 'declined', note: 'Decline, expired card' },
  ])

  // An update of no row is no error of PostgreSQL.
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  await payAsCustomer((await till.pay({ reference: 'order-9', ...jug })).address, { gateway })
  expect((await till.report()).failing.items).toMatchObject([
    { reference: 'order-9', error: expect.stringContaining('There is no order order-9.') },
  ])
  warn.mockRestore()
})

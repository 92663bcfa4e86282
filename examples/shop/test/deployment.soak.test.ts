/** The programs of docs/deployment.md: a process that gets SIGTERM while a payment is under way, and two functions without a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import type { Till } from '@tillkit/till'
import { migrate } from '@tillkit/till/postgres'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'
import { bundle } from '../../../packages/till/test/bundle.js'
import { ownServer } from '../../../packages/till/test/postgres-server.js'

const here = dirname(fileURLToPath(import.meta.url))
const page = readFileSync(join(here, '../../../docs/deployment.md'), 'utf8')
const [program = '', functions = ''] = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
const jug = {
  ...{ amount: '10.00', currency: 'EUR', orderDesc: 'A jug' },
  ...{ email: 'joan@customer.example', phone: '+493012345678', ipAddress: '203.0.113.7' },
  ...{ address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
}

function ownFolder(): string {
  const folder = mkdtempSync(join(here, '.deployment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openGateway() {
  const gateway = createFakeGateway()
  await gateway.listen()
  onTestFinished(() => gateway.close())
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const variables = {
    TILLKIT_BASE_URL: String(baseUrl),
    TILLKIT_ENDPOINT_ID: String(endpointId),
    TILLKIT_LOGIN: login,
    TILLKIT_CONTROL_KEY: controlKey,
  }
  return { gateway, variables }
}

const until = async (isSo: () => unknown): Promise<void> => {
  while (!(await isSo())) await pause(20)
}

it('a process that gets SIGTERM while a payment is under way answers it and exits with 0; the next one finishes it, charged once', async () => {
  const { gateway, variables } = await openGateway()
  const folder = ownFolder()
  const bundled = join(folder, 'shop.mjs')
  writeFileSync(join(folder, 'shop.ts'), program)
  await bundle(join(folder, 'shop.ts'), bundled)
  const port = String(await freePort())
  const shop = `http://127.0.0.1:${port}`
  const env = { ...variables, PORT: port, SHOP_ADDRESS: shop, SHOP_DATABASE: join(folder, 'shop.db') }
  const isUp = () =>
    fetch(`${shop}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  const startShop = async () => {
    const child: ChildProcess = spawn(process.execPath, [bundled], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [ended, printed]: [Promise<unknown[]>, string[]] = [once(child, 'exit'), []]
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => printed.push(text))
    await until(async () => child.exitCode !== null || (await isUp()))
    expect([child.exitCode, printed]).toEqual([null, []])
    return { child, ended, printed }
  }
  const pressPay = () => fetch(`${shop}/orders/order-7/pay`, { method: 'POST', redirect: 'manual' })

  const first = await startShop()
  // The gateway has made the order, and the second half of its answer does not come before its clock goes on.
  gateway.faults.arm({ fault: 'slow-body', operation: 'saleForm' })
  const pressed = pressPay()
  await until(() => gateway.orders.list().length === 1)
  first.child.kill('SIGTERM')
  await until(async () => !(await isUp()))
  expect(first.child.exitCode).toBe(null)
  await gateway.clock.advance(1_000)
  const answer = await pressed
  expect([answer.status, new URL(answer.headers.get('location') ?? '').origin]).toEqual([
    303,
    new URL(variables.TILLKIT_BASE_URL).origin,
  ])
  expect([await first.ended, first.printed]).toEqual([[0, null], []])

  // The customer pays; neither the return nor the callback reaches a shop.
  await payAsCustomer(answer, { gateway }).catch(() => undefined)
  const second = await startShop()
  await gateway.clock.advance(60 * 60_000)
  await gateway.callbacks.idle()
  await until(() => second.printed.length > 0)
  expect((await pressPay()).headers.get('location')).toBe(`${shop}/orders/order-7`)
  second.child.kill('SIGTERM')
  expect([await second.ended, second.printed.join('')]).toEqual([[0, null], 'order-7 paid\n'])
  expect(gateway.orders.list().map(({ stages }) => stages.map(({ status }) => status))).toEqual([['approved']])
})

it('without a process: a cron tells what nobody heard of, and the routes take the customer back', async () => {
  const { gateway, variables } = await openGateway()
  const server = await ownServer()
  onTestFinished(() => server.stop())
  const database = new pg.Pool({ connectionString: server.url })
  onTestFinished(() => database.end())
  await migrate(database)
  await database.query('create table orders (id text primary key, state text not null)')
  await database.query("insert into orders values ('order-7', 'new'), ('order-8', 'new')")
  const states = async () =>
    (await database.query('select state from orders order by id')).rows.map(({ state }) => state)

  for (const [name, value] of Object.entries({ ...variables, DATABASE_URL: server.url, CRON_SECRET: 'tick' }))
    vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const origin = `http://127.0.0.1:${await freePort()}`
  const file = join(ownFolder(), 'functions.ts')
  const own = functions.replace('https://shop.example', origin).replace('const pool', 'export const pool')
  expect(own).toContain(`${origin}/payments`)
  writeFileSync(file, own)
  const { till, pool, payments, work }: Functions = await import(/* @vite-ignore */ file)
  onTestFinished(() => pool.end())
  onTestFinished(() => till.close())

  // Nothing listens: neither the customer's return nor a callback arrives.
  gateway.faults.arm({ fault: 'callback-never', times: 2 })
  await payAsCustomer((await till.pay({ reference: 'order-7', ...jug })).address, { gateway }).catch(() => undefined)
  expect(await states()).toEqual(['new', 'new'])
  await database.query('update tillkit.documents set due = 0 where due is not null')
  const call = (secret: string) =>
    work(new Request(`${origin}/work`, { headers: { authorization: `Bearer ${secret}` } }))
  expect((await call('guessed')).status).toBe(401)
  // RFC 9110 section 15.5.2: 401 is for a request without valid credentials, and there are none while no secret is set.
  for (const unset of [undefined, '']) {
    vi.stubEnv('CRON_SECRET', unset)
    const answers = [
      await call('undefined'),
      await call(''),
      await call('tick'),
      await work(new Request(`${origin}/work`)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  }
  vi.stubEnv('CRON_SECRET', 'tick')
  expect(await (await call('tick')).json()).toEqual({ orders: 1 })
  expect(await states()).toEqual(['paid', 'new'])

  const listening = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers, socket } = request
    const body = method === 'GET' ? null : Buffer.concat(await request.toArray())
    const asked = new Request(`${origin}${url}`, { method, headers: headers as Record<string, string>, body })
    const given = await payments(asked, socket.remoteAddress)
    response.writeHead(given.status, Object.fromEntries(given.headers)).end(await given.text())
  }).listen(Number(new URL(origin).port), '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  const back = await payAsCustomer((await till.pay({ reference: 'order-8', ...jug })).address, { gateway })
  expect([back.url.pathname, back.status]).toEqual(['/orders/order-8', 404])
  expect(await states()).toEqual(['paid', 'paid'])
  expect(gateway.orders.list().map(({ stages }) => stages.map(({ status }) => status))).toEqual([
    ['approved'],
    ['approved'],
  ])
})

interface Functions {
  readonly till: Till
  readonly pool: pg.Pool
  payments(request: Request, remoteAddress?: string): Promise<Response>
  work(request: Request): Promise<Response>
}

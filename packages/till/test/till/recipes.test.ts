/** docs/work-from-a-queue.md: what it shows is compiled here, pg-boss runs on a real PostgreSQL, and two rounds at once are harmless. */
import { readFile } from 'node:fs/promises'
import PgBoss from 'pg-boss'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { postgresStore } from '../../src/postgres.js'
import { freshGround, serverUrl } from '../postgres/support/ground.js'
import { workByPgBoss } from '../recipes/pg-boss.js'
import { readyAccount } from './ready-account.js'
import { basket, lineOf, openShop } from './shop.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('shows what is compiled here, and a job that charges a stored card', async () => {
  const [shown, last] = [(await read('../../../../docs/work-from-a-queue.md')).match(/(?<=```ts\n).*?(?=```)/gs), -1]
  const names = ['cron', 'pg-boss', 'bullmq', 'temporal/workflows', 'temporal/schedule']
  expect(shown?.slice(0, last)).toEqual(await Promise.all(names.map(name => read(`../recipes/${name}.ts`))))
  expect(shown?.at(last)).toContain('absent: true')
})

describe('a job of pg-boss', () => {
  it('brings a payment to paid whose shop is stopped, and writes what its handler writes once', async () => {
    const ground = await freshGround()
    onTestFinished(() => ground.end())
    await ground.admin.query(`create table "${ground.schema}".told (line text)`)
    const shop = await openShop({ store: postgresStore(ground.pool(), { schema: ground.schema }) })
    const { address } = await shop.till.pay(basket)
    // The shop stops: the customer pays, and neither the return nor the callback arrives.
    await shop.close()
    await shop.customerPays(address).catch(() => undefined)
    expect(shop.told).toEqual([])
    await ground.admin.query(`update "${ground.schema}".documents set due = 0`)

    let tellAll = () => {}
    const isTold = new Promise<void>(resolve => {
      tellAll = resolve
    })
    const worker = createTill({
      account: readyAccount(shop.gateway),
      store: postgresStore(ground.pool(), { schema: ground.schema }),
      address: 'http://127.0.0.1:1/payments',
      returnTo: () => '/',
      onOutcome: async (outcome, { transaction }) => {
        await transaction.client.query(`insert into "${ground.schema}".told values ($1)`, [lineOf(outcome)])
        tellAll()
      },
    })
    const boss = new PgBoss({ connectionString: serverUrl(), schema: `${ground.schema}_boss` })
    onTestFinished(async () => {
      await boss.stop({ graceful: false, wait: true })
      await ground.admin.query(`drop schema if exists "${ground.schema}_boss" cascade`)
    })
    await boss.start()
    await workByPgBoss(boss, worker)
    expect(await boss.getSchedules()).toMatchObject([{ name: 'till-tick', cron: '* * * * *' }])
    await boss.send('till-tick', {})
    await isTold
    await worker.close()
    const { rows } = await ground.admin.query(`select line from "${ground.schema}".told`)
    expect(rows).toEqual([{ line: 'basket-7 paid 10.00' }])
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })
})

describe('two rounds at once', () => {
  it('share the questions between them, and tell each payment once', async () => {
    const ground = await freshGround()
    onTestFinished(() => ground.end())
    const store = () => postgresStore(ground.pool(), { schema: ground.schema })
    const shop = await openShop({ store: store() })
    const { address } = await shop.till.pay(basket)
    await shop.customerPays(address)
    await shop.gateway.callbacks.idle()
    const orderId = shop.gateway.orders.find('basket-7')?.orderId ?? ''
    const { cardRefId = '' } = await shop.till.client.createCardRef({ clientOrderId: 'basket-7', orderId })
    const other = await openShop({ gateway: shop.gateway, store: store() })
    const references = Array.from({ length: 8 }, (_, index) => `month-${index}`)
    shop.gateway.faults.arm({ fault: 'callback-never', times: references.length })
    for (const reference of references)
      await shop.till.pay({ reference, amount: '9.00', currency: 'EUR', cardRefId, absent: true })
    await ground.admin.query(`update "${ground.schema}".documents set due = 0 where due is not null`)
    shop.told.length = 0
    const before = shop.gateway.calls('status').length
    await Promise.all([shop.till.tick(), other.till.tick()])
    // The tills have work of their own, which asks about one now and then where the machine is slow; each round by itself would ask twice.
    const asked = shop.gateway.calls('status').length - before
    expect([asked >= references.length, asked < 2 * references.length]).toEqual([true, true])
    expect([...shop.told, ...other.told].sort()).toEqual(references.map(each => `${each} paid 9.00`).sort())
    expect(shop.books()).toHaveLength(1 + references.length)
  })
})

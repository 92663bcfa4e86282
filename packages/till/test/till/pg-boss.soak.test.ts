/** The job of docs/work-from-a-queue.md, run by pg-boss on a real PostgreSQL. */
import PgBoss from 'pg-boss'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { postgresStore } from '../../src/postgres.js'
import { freshGround, serverUrl } from '../postgres/support/ground.js'
import { workByPgBoss } from '../recipes/pg-boss.js'
import { readyAccount } from './ready-account.js'
import { basket, lineOf, openShop } from './shop.js'

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

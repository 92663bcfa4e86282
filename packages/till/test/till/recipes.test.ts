/** docs/work-from-a-queue.md: what it shows is compiled here, and two rounds at once are harmless. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresStore } from '../../src/postgres.js'
import { freshGround } from '../postgres/support/ground.js'
import { basket, openShop } from './shop.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('shows what is compiled here, and a job that charges a stored card', async () => {
  const [shown, last] = [(await read('../../../../docs/work-from-a-queue.md')).match(/(?<=```ts\n).*?(?=```)/gs), -1]
  const names = ['cron', 'pg-boss', 'bullmq', 'temporal/workflows', 'temporal/schedule']
  expect(shown?.slice(0, last)).toEqual(await Promise.all(names.map(name => read(`../recipes/${name}.ts`))))
  expect(shown?.at(last)).toContain('absent: true')
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

/** A handler of five seconds, while a callback comes every second and another process looks for work: it is told once. */

import { createFakeGateway, signedCallback } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { freshFile } from '../sqlite/ground.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop } from './shop.js'

const second = 1_000

it.each([
  ['in memory', (clock: () => number) => memoryStore({ clock }) as Store<never>],
  [
    'in a transaction of SQLite',
    (clock: () => number) => sqliteStore(freshFile(), { clock }) as unknown as Store<never>,
  ],
])('runs once, %s', async (_, openStore) => {
  const gateway = createFakeGateway()
  const { clock } = gateway
  const store = openStore(clock.now)
  const begun: string[] = []
  let tellBegun = () => {}
  const hasBegun = new Promise<void>(resolve => {
    tellBegun = resolve
  })
  const onOutcome = async () => {
    begun.push(new Date(clock.now()).toISOString())
    tellBegun()
    await clock.wait(5 * second)
  }
  const shop = await openShop({ gateway, store, onOutcome })
  const options = { account: readyAccount(gateway), store, address: `${shop.origin}/payments`, returnTo: () => '/' }
  const other = createTill<never>({ ...options, onOutcome, clock: clock.now, wait: quickWait })
  onTestFinished(() => other.close())
  const { address } = await shop.till.pay(basket)
  const paying = shop.customerPays(address)
  await hasBegun
  const { orderId = '' } = gateway.orders.find('basket-7') ?? {}
  const { controlKey } = gateway.clientOptions
  const callback = async () => {
    const signed = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'basket-7' })
    return (await fetch(signed.url(`${shop.origin}/payments/callback`))).status
  }
  const answers: Promise<number>[] = []
  for (let passed = 0; passed < 5; passed += 1) {
    answers.push(callback())
    await other.tick()
    expect(begun).toHaveLength(1)
    expect(shop.told).toEqual([])
    await clock.advance(second)
  }
  await paying
  await gateway.callbacks.idle()
  for (const status of await Promise.all(answers)) expect([200, 503]).toContain(status)
  expect(await callback()).toBe(200)
  await clock.advance(60 * second)
  await Promise.all([shop.till.tick(), other.tick()])
  expect(begun).toHaveLength(1)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  expect(shop.books()).toEqual(['basket-7 sale approved'])
})

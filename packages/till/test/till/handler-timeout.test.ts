/** A handler that outstays its time: this process begins it no second time while it runs, and another process begins it afterwards. */

import { createFakeGateway, signedCallback } from '@tillkit/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTill } from '../../src/index.js'
import type { Store } from '../../src/store/store.js'
import { engines } from './engines.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard, openShop } from './shop.js'

const [handlerTimeout, minute] = [1_000, 60_000]

it.each(Object.values(engines))('begins once in each process, on $name', async engine => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const gateway = createFakeGateway()
  const { clock } = gateway
  const store = engine.open(clock.now) as Store<never>
  const begun: string[] = []
  let finish = () => {}
  const mayFinish = new Promise<void>(resolve => {
    finish = resolve
  })
  const shop = await openShop<never>({
    gateway,
    store,
    handlerTimeout,
    async onOutcome() {
      begun.push('here')
      await mayFinish
    },
  })
  const other = createTill<never>({
    account: readyAccount(gateway),
    store,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    handlerTimeout,
    onOutcome: () => void begun.push('elsewhere'),
    clock: clock.now,
    wait: quickWait,
  })
  onTestFinished(() => other.close())
  onTestFinished(() => finish())
  await shop.till.pay(byCard)
  const failing = async () => (await shop.till.report()).failing.total
  await vi.waitFor(async () => expect(await failing()).toBe(1), { timeout: 20_000 })
  // Its time is over by the store's clock as well: whoever may begin it, begins it.
  await clock.advance(minute)
  const { orderId = '' } = gateway.orders.find('basket-7') ?? {}
  const { controlKey } = gateway.clientOptions
  const signed = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'basket-7' })
  expect((await fetch(signed.url(`${shop.origin}/payments/callback`))).ok).toBe(false)
  await shop.till.ask('basket-7')
  await shop.till.tick()
  expect(begun).toEqual(['here'])
  await other.ask('basket-7')
  expect(begun).toEqual(['here', 'elsewhere'])
  finish()
  await vi.waitFor(async () => expect(await failing()).toBe(0), { timeout: 20_000 })
  await clock.advance(minute)
  await Promise.all([shop.till.tick(), other.tick()])
  expect(begun).toEqual(['here', 'elsewhere'])
  expect(shop.books()).toEqual(['basket-7 sale approved'])
})

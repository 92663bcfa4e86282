/** Processes and a gateway that are slow: what they do or say late charges nobody twice. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../../src/index.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import { type DocumentStore, type Store, StoreError } from '../../../src/store/store.js'
import { readyAccount } from '../ready-account.js'
import { basket, openShop } from '../shop.js'

const turns = async (count = 20): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Holds back the first write of an entry that fits until it is let go. */
function holdingStore(store: DocumentStore, fits: (body: string) => boolean) {
  let held: string | undefined
  let letGo = (): void => {}
  const gone = new Promise<void>(resolve => {
    letGo = resolve
  })
  let begun = (): void => {}
  const holds = new Promise<void>(resolve => {
    begun = resolve
  })
  const view: DocumentStore = {
    ...store,
    async write(key, entry, options) {
      if (fits(entry.body) && held === undefined) {
        held = entry.body
        begun()
        await gone
      }
      return store.write(key, entry, options)
    },
  }
  return { view, holds, letGo, held: () => held ?? '' }
}

it('whoever comes second waits as long as the first one for its answer, and then has the same form', async () => {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway, wait: gateway.clock.wait })
  gateway.faults.arm({ fault: 'slow-body', operation: 'saleForm', delay: 12_000 })
  const first = shop.till.pay(basket)
  while (gateway.calls('saleForm').length === 0) await turns(1)
  const second = shop.till.pay(basket).then(
    ({ address }) => address,
    error => String(error),
  )
  for (let step = 0; step < 70; step += 1) {
    await turns()
    await gateway.clock.advance(200)
  }
  expect(await second).toBe((await first).address)
  expect(gateway.calls('saleForm')).toHaveLength(1)
})

it('a form whose address was written down after the payment had gone on without it is given to nobody', async () => {
  const gateway = createFakeGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const shop = await openShop({ gateway, store: store as Store<never> })
  const { view, holds, letGo } = holdingStore(store, body => body.includes('redirectUrl'))
  const slow = createTill({
    account: readyAccount(gateway),
    store: view as Store<never>,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => {},
    clock: gateway.clientOptions.clock,
  })
  const late = slow.pay(basket)
  await holds
  await gateway.clock.advance(180_000)
  const next = await shop.till.pay(basket)
  expect(next.kind).toBe('go')
  letGo()
  expect((await late).address).toBe(next.address)
  await shop.customerPays(next.address)
  await gateway.callbacks.idle()
  expect(shop.books()).toEqual(['basket-7 sale processing', 'basket-7.2r sale approved'])
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  await slow.close()
})

it('a form whose address is not written down yet is given to nobody', async () => {
  const gateway = createFakeGateway()
  const { clock } = gateway
  const store = memoryStore({ clock: clock.now })
  const { view, holds, letGo, held } = holdingStore(store, body => body.includes('redirectUrl'))
  const till = createTill({
    account: { ...gateway.clientOptions, wait: clock.wait },
    store: view as Store<never>,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
    clock: clock.now,
    wait: clock.wait,
  })
  const asked: { address?: string } = {}
  const first = till.pay(basket).then(
    ({ address }) => {
      asked.address = address
    },
    // The next order waits behind that write, and was not sent.
    error => expect(error).toMatchObject({ code: 'ERR_NOT_SENT', clientOrderId: 'basket-7.2r' }),
  )
  await holds
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds && asked.address === undefined; second += 1) {
      await turns()
      await clock.advance(1_000)
    }
  }
  await pass(100)
  letGo()
  await pass(100)
  await first
  const [late] = /https:[^"]*\/form\/[^"]*/.exec(held()) ?? []
  expect(late).toBeDefined()
  expect(asked.address).not.toBe(late)
  await till.close()
  await gateway.close()
})

it('a declined order that was paid after all has no next order, where the store does not take that', async () => {
  const gateway = createFakeGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const isFailing = { now: true }
  const failing: DocumentStore = {
    ...store,
    async write(key, entry, options) {
      if (isFailing.now && entry.body.includes('"to":"approved"'))
        throw new StoreError('ERR_STORE_SCHEMA', 'The table is not there.')
      return store.write(key, entry, options)
    },
  }
  const shop = await openShop({ gateway, store: failing as Store<never> })
  await shop.customerPays((await shop.till.pay(basket)).address, '101')
  await gateway.callbacks.idle()
  gateway.faults.arm('callback-never')
  gateway.act({ action: 'correct', status: 'approved', orderId: gateway.orders.find('basket-7')?.orderId ?? '' })
  await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' })
  expect(gateway.calls('saleForm')).toHaveLength(1)
  isFailing.now = false
  expect((await shop.till.pay(basket)).kind).toBe('over')
  expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
})

it('a declined order of which status says that it goes on has no next order: it may have been paid', async () => {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway })
  await shop.customerPays((await shop.till.pay(basket)).address, '101')
  await gateway.callbacks.idle()
  gateway.faults.arm('callback-never')
  gateway.act({ action: 'correct', status: 'approved', orderId: gateway.orders.find('basket-7')?.orderId ?? '' })
  gateway.faults.arm({ fault: 'status-lags', operation: 'status' })
  expect((await shop.till.pay(basket)).kind).toBe('wait')
  expect(gateway.calls('saleForm')).toHaveLength(1)
  expect((await shop.till.pay(basket)).kind).toBe('over')
  expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
})

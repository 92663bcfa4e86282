/** A merchant's table and our document in one file: what a handler writes is written with the mark that it was told. */
import { createFakeGateway, signedCallback, testCard } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { expect, it, onTestFinished } from 'vitest'
import { quickWait } from '../till/quick-wait.js'
import { readyAccount } from '../till/ready-account.js'
import { entry, openStore } from './ground.js'

it('a handler that fails after it wrote, and a callback that comes three times, ship one parcel', async () => {
  const store = openStore()
  await store.commit(
    'tables',
    async ({ run }) => void (await run`create table parcels (id text)`),
    () => entry('{}'),
  )
  const gateway = createFakeGateway()
  onTestFinished(() => gateway.close())
  let runs = 0
  const { controlKey } = gateway.clientOptions
  const till = createTill({
    account: readyAccount(gateway),
    store,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onReport: () => undefined,
    // The pauses between two questions about one order are skipped.
    wait: quickWait,
    onOutcome: async ({ reference }, { transaction }) => {
      runs += 1
      await transaction.run`insert into parcels values (${reference})`
      if (runs === 1) throw new Error('the printer of labels is away')
    },
  })
  onTestFinished(() => till.close())
  const { orderId } = await till.client.sale({
    clientOrderId: 'basket-7',
    amount: '10.00',
    currency: 'EUR',
    email: 'joan@customer.example',
    creditCardNumber: testCard,
    cardPrintedName: 'JOAN BAKER',
    expireMonth: '12',
    expireYear: '2031',
    cvv2: '123',
  })
  const callback = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'basket-7' })
  const { href } = callback.url('https://shop.example/payments/callback')
  const take = async () => (await till.fetch(new Request(href)))?.status
  expect([await take(), await take(), await take()]).toEqual([503, 200, 200])
  expect(runs).toBe(2)
  // The statement fails unless there is one row.
  const one = store.commit(
    'count',
    async ({ run }) => {
      await run`create table counted (n integer check (n = 1))`
      await run`insert into counted select count(*) from parcels where id = ${'basket-7'}`
    },
    () => entry('{}'),
  )
  await expect(one).resolves.toMatchObject({ kind: 'written' })
})

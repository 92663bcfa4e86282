/** A merchant's table and our document in one file: what a handler writes is written with the mark that it was told. */
import { createClient } from '@tillkit/client'
import { callbackReceiver } from '@tillkit/express-middleware/core'
import { createFakeGateway, signedCallback, testCard } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
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
  const client = createClient({ ...gateway.clientOptions, store })
  const { controlKey } = gateway.clientOptions
  const { orderId } = await client.sale({
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
  let runs = 0
  const { receive } = callbackReceiver({
    merchant: { controlKeys: controlKey, client },
    store,
    interval: 0,
    onReport: () => undefined,
    onOutcome: async ({ reference }, { transaction }) => {
      runs += 1
      await transaction.run`insert into parcels values (${reference})`
      if (runs === 1) throw new Error('the printer of labels is away')
    },
  })
  const callback = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'basket-7' })
  const parameters = [...callback.url('http://127.0.0.1/').searchParams]
  const kinds = [await receive(parameters), await receive(parameters), await receive(parameters)].map(
    ({ kind }) => kind,
  )
  expect(kinds).toEqual(['handler-failed', 'told', 'known'])
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

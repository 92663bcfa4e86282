/** Options that are wrong: a till that left one out in silence would work otherwise than its owner believes. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill, type TillOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'

const options = (): TillOptions => ({
  account: createFakeGateway().clientOptions,
  store: memoryStore(),
  address: 'https://shop.example/payments',
  returnTo: () => '/',
  onOutcome: () => {},
})

it.each([
  [
    { secondPersonAbov: { EUR: '100.00' } },
    'createTill has no option "secondPersonAbov". Did you mean "secondPersonAbove"?',
  ],
  [{ store: undefined }, '"store" is missing.'],
  [{ store: 'shop.db' }, '"store" has no method "read". Pass sqliteStore(file)'],
  [{ returnTo: '/orders' }, '"returnTo" is "/orders"; it must be a function.'],
  [{ onOutcome: undefined }, '"onOutcome" is missing.'],
  [{ patience: Number.NaN }, '"patience" is NaN; it must be a whole number of milliseconds from 1 to'],
  [{ mostOrders: 0 }, '"mostOrders" is 0; it must be a whole number of orders from 1 to'],
  [{ replaceOpenForm: 'no' }, '"replaceOpenForm" is "no"; it must be true or false.'],
])('createTill refuses %j', (wrong, message) => {
  expect(() => createTill({ ...options(), ...(wrong as object) })).toThrow(message)
})

it('createTill takes what is right', async () => {
  await createTill(options()).close()
})

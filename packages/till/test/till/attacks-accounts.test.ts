/** A store that was put back, and a merchant with several accounts: an order is found whichever account made it. Counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import type { TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { basket, openShop } from './shop.js'

it.each([
  ['the same currency', 'EUR', 'over'],
  ['another currency', 'USD', 'ERR_OTHER_PAYMENT'],
])('a payment that the backup lacks is not charged again by another account: %s', async (_, currency, expected) => {
  const gateway = createFakeGateway({
    merchants: [
      { login: 'euro', controlKey: 'K-EURO-0001', endpoints: [{ id: '41', currency: 'EUR' }] },
      { login: 'dollar', controlKey: 'K-DOLLAR-0001', endpoints: [{ id: '42', currency: 'USD' }] },
    ],
  })
  await gateway.listen()
  const first = gateway.clientOptionsFor({ login: 'euro' })
  const second = gateway.clientOptionsFor({ login: 'dollar' })
  const accounts: readonly TillAccount[] = [
    { ...first, currencies: ['EUR'] },
    { ...second, currencies: ['USD'] },
  ]
  const lives = () =>
    openShop({ gateway, accounts, store: memoryStore({ clock: gateway.clientOptions.clock }) as Store<never> })
  const lost = await lives()
  await lost.customerPays((await lost.till.pay(basket)).address)
  await gateway.callbacks.idle()
  await lost.close()
  const shop = await lives()
  await shop.till.start({ restored: true })
  const kind = await shop.till.pay({ ...basket, currency }).then(
    next => next.kind,
    error => error.code,
  )
  expect(kind).toBe(expected)
  expect(shop.books()).toEqual(['basket-7 sale approved'])
})

/** Callbacks, and the work in the background, ask only the account that has the order: counted in the gateway's calls. */
import { createClient } from '@tillkit/client'
import { signedCallback } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { minute, passes } from './acts.js'
import { quickWait } from './quick-wait.js'
import { byCard, card, openShop } from './shop.js'
import { accountOf, endpointsAsked, twoAccounts, twoMerchants } from './two-accounts.js'

it('verifies a callback of an order that was adopted by the key of its account alone', async () => {
  const gateway = twoMerchants()
  await gateway.listen()
  const shop = await openShop({ gateway, accounts: twoAccounts(gateway), name: 'shop' })
  const byHand = createClient(gateway.clientOptionsFor({ login: 'dollar' }))
  const sale = { ...card, clientOrderId: 'web-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }
  const { orderId = '' } = await byHand.sale(sale)
  await byHand.close()
  const adopting = { reference: 'basket-9', clientOrderId: 'web-1', orderId, account: 'dollar' }
  expect(await shop.till.adopt(adopting)).toMatchObject({ kind: 'adopted' })
  await passes(shop)
  const { length } = gateway.calls('status')
  const called = async (controlKey: string) => {
    const { href } = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'web-1' }).url(
      `${shop.origin}/payments/callback`,
    )
    return (await fetch(href)).status
  }
  expect(await called('K-EURO-0001')).toBe(403)
  expect(gateway.calls('status')).toHaveLength(length)
  expect(await called('K-DOLLAR-0001')).toBe(200)
  expect(endpointsAsked(gateway, 'status').slice(length)).toEqual(['42 accepted'])
})

it('asks no account about an order of one that is not there, and says which it lacks', async () => {
  const gateway = twoMerchants()
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as unknown as Store<never>
  await gateway.listen()
  const shop = await openShop({ gateway, accounts: twoAccounts(gateway), name: 'shop', store })
  gateway.faults.arm({ fault: 'callback-never', times: 9 })
  await shop.till.pay({ ...byCard, currency: 'USD' })
  const said: string[] = []
  const other = createTill<never>({
    account: accountOf(gateway, 'euro'),
    name: 'shop',
    store,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => {},
    onReport: ({ kind, explanation }) => void said.push(`${kind}: ${explanation}`),
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })
  await gateway.clock.advance(5 * minute)
  const { length } = gateway.calls()
  await other.tick()
  await other.close()
  expect(gateway.calls()).toHaveLength(length)
  expect(said).toEqual([
    'failed: There is no account "dollar", and order "basket-7" is of it. Put it back into "accounts".',
  ])
})

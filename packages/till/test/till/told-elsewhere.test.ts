/** A till without a handler, as a back office has: what it learns is told by the till that has one, once. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { ada, minute, passes, quiet } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard, openShop } from './shop.js'

/** A shop with a sale at the gateway of which no answer and no callback came, and a back office on its store. */
async function lostShop(store: Store<never> = memoryStore() as Store<never>) {
  const shop = await openShop({ store })
  shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
  shop.gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
  await shop.till.pay(byCard)
  const office = createTill({
    account: readyAccount(shop.gateway),
    store,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: 'told-elsewhere',
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
  })
  await shop.gateway.clock.advance(quiet)
  return { shop, office }
}

it('leaves what status says to the till that has the handler, and counts no failure', async () => {
  const { shop, office } = await lostShop()
  expect(await office.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({
    kind: 'refused',
    payment: { state: 'paid' },
  })
  expect(await office.ask('basket-7')).toMatchObject({ state: 'paid' })
  expect(shop.told).toEqual([])
  expect(await office.report()).toMatchObject({ failing: { total: 0 } })
  await passes(shop)
  await passes(shop, 60 * minute)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  expect(await shop.till.report()).toMatchObject({ failing: { total: 0 }, open: { total: 0 } })
  await office.close()
})

it('changes what is paid, and leaves that to be told as well', async () => {
  const { shop, office } = await lostShop()
  await office.ask('basket-7')
  await office.return('basket-7')
  await shop.gateway.clock.advance(quiet)
  await office.ask('basket-7')
  expect(shop.told).toEqual([])
  await passes(shop)
  expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
  await office.close()
})

it('answers no callbacks and does no work in the background', async () => {
  const { office } = await lostShop()
  const message = '"onOutcome" is "told-elsewhere"'
  expect(() => office.express()).toThrow(message)
  for (const refused of [office.start(), office.tick(), office.answer({} as never)])
    await expect(refused).rejects.toThrow(message)
  await office.close()
})

it('without an address names no callback to the gateway, asks status, and takes no customers', async () => {
  const gateway = createFakeGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
  const shop = await openShop({ gateway, store })
  const office = createTill({
    account: readyAccount(gateway),
    store,
    returnTo: () => '/',
    onOutcome: 'told-elsewhere',
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
  })
  const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }
  const checked = { ...payout, reference: 'payout-8', checked: true }
  await office.payout(payout)
  await office.payout(checked)
  await office.ask('payout-8')
  await office.payout(checked)
  const sent = shop.gateway.calls().filter(({ operation }) => operation !== 'status')
  expect(sent.map(({ operation }) => operation)).toEqual(['payoutV4', 'payoutCheck', 'payoutPay'])
  expect(sent.flatMap(({ fields }) => fields.filter(([name]) => /callback|notify/.test(name)))).toEqual([])
  await expect(office.pay(byCard)).rejects.toThrow('createTill: "address" is missing')
  expect((await office.check()).map(({ findings }) => findings.some(({ subject }) => subject === 'address'))).toEqual([
    false,
  ])
  await passes(shop)
  expect(shop.told.sort()).toEqual(['payout-7 sent 10.00', 'payout-8 sent 10.00', 'payout-8 verified 10.00'])
  await office.close()
})

/** Captures, returns and voids: each is sent once, counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { chargedShop, passes, quiet, sent, stages } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop } from './shop.js'

const wholes = [
  { name: 'capture', hold: true, told: 'basket-7 paid 10.00', stage: 'capture 10.00 approved' },
  { name: 'return', hold: false, told: 'basket-7 returned 10.00', stage: 'reversal 10.00 approved' },
  { name: 'return', hold: true, told: 'basket-7 released 10.00', stage: 'cancel 10.00 approved' },
  { name: 'void', hold: true, told: 'basket-7 released 10.00', stage: 'void 10.00 approved' },
] as const

describe.each(wholes)('a whole $name (of a hold: $hold)', ({ name, hold, told, stage }) => {
  it('is sent once, and told once', async () => {
    const shop = await chargedShop(hold)
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: false })
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: true })
    await passes(shop, quiet)
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: true })
    expect(shop.told).toEqual([told])
    expect(stages(shop).slice(1)).toEqual([stage])
    expect(sent(shop, name)).toBe(1)
  })

  it('is sent once by two tills at the same moment', async () => {
    const gateway = createFakeGateway()
    const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await chargedShop(hold, { gateway, store: store as Store<never> })
    const other = createTill({
      account: readyAccount(gateway),
      store: store as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: () => {},
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    const results = await Promise.all([shop.till, other, shop.till].map(till => till[name]('basket-7')))
    expect(results.map(({ again }) => again).sort()).toEqual([false, true, true])
    expect(await other[name]('basket-7')).toMatchObject({ kind: 'sent', again: true })
    expect(sent(shop, name)).toBe(1)
    await other.close()
  })

  it.each([false, true])('is found out about when its answer was lost (its callback too: %s)', async isCallbackLost => {
    const shop = await chargedShop(hold)
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: name })
    if (isCallbackLost) shop.gateway.faults.arm({ fault: 'callback-never', operation: name })
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'unknown', again: false })
    expect((await shop.till[name]('basket-7')).again).toBe(true)
    await passes(shop, quiet)
    expect(shop.told).toEqual([told])
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: true })
    expect(stages(shop).slice(1)).toEqual([stage])
    expect(sent(shop, name)).toBe(1)
  })

  it('may be tried again after it was refused, and after each time that it failed', async () => {
    const shop = await chargedShop(hold)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: name, times: 3 })
    for (let time = 1; time <= 3; time += 1) {
      expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: false })
      await passes(shop, quiet)
      expect(shop.told.splice(0)).toEqual(['basket-7 failed 10.00'])
    }
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: false })
    await passes(shop, quiet)
    expect(shop.told).toEqual([told])
    expect(await shop.till[name]('basket-7')).toMatchObject({ kind: 'sent', again: true })
    expect(stages(shop).at(-1)).toBe(stage)
    expect(sent(shop, name)).toBe(4)
  })
})

describe('what is not possible', () => {
  const cases = [
    { what: 'a capture of a sale', hold: false, name: 'capture', possible: 'Possible now: return.' },
    { what: 'a void of a sale', hold: false, name: 'void', possible: 'Possible now: return.' },
    { what: 'a void of what was captured', hold: true, name: 'void', possible: 'Possible now: return.' },
  ] as const

  it.each(cases)('is refused before anything is sent: $what', async ({ hold, name, possible }) => {
    const shop = await chargedShop(hold)
    if (hold) {
      await shop.till.capture('basket-7')
      await passes(shop, quiet)
    }
    await expect(shop.till[name]('basket-7')).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
      message: expect.stringContaining(possible),
    })
    expect(sent(shop, name)).toBe(0)
  })

  it('is refused of a payment that nobody knows, and of one that is not paid', async () => {
    const shop = await openShop()
    await expect(shop.till.return('basket-8')).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    await shop.till.pay(basket)
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    expect(sent(shop, 'return')).toBe(0)
  })

  it('is refused of what the bank took back, which is told', async () => {
    const shop = await chargedShop()
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'charge-back', orderId })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 chargeback 10.00'])
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    expect(sent(shop, 'return')).toBe(0)
  })
})

describe('asking about a payment', () => {
  it('tells a chargeback whose callback was lost, and says how the payment stands then', async () => {
    const shop = await chargedShop()
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.faults.arm({ fault: 'callback-never' })
    shop.gateway.act({ action: 'charge-back', orderId })
    await passes(shop, quiet)
    expect([shop.told, (await shop.till.payment('basket-7')).state]).toEqual([[], 'paid'])
    expect((await shop.till.ask('basket-7')).state).toBe('returned')
    expect(shop.told).toEqual(['basket-7 chargeback 10.00'])
  })

  it('says of one that nobody knows that it is new, and asks nothing', async () => {
    const shop = await openShop()
    expect((await shop.till.ask('basket-8')).state).toBe('new')
    expect(shop.gateway.calls('status')).toEqual([])
  })

  it('says what was known where status does not answer', async () => {
    const shop = await chargedShop()
    shop.gateway.handle({ status: () => ({ hangUp: true }) })
    expect((await shop.till.ask('basket-7')).state).toBe('paid')
  })
})

describe('a hold of which no callback came', () => {
  it('is captured: status is asked first', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
    const { address } = await shop.till.pay({ ...basket, hold: true })
    await shop.customerPays(address)
    expect((await shop.till.capture('basket-7')).again).toBe(false)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00'])
  })
})

it('says of a reference that nothing is kept under: look how it is spelled', async () => {
  const shop = await chargedShop()
  await expect(shop.till.return('basket-8')).rejects.toMatchObject({
    code: 'ERR_NOT_POSSIBLE',
    message: expect.stringMatching(
      /^Payment "basket-8": return is not possible: the store has no such payment\. .*spelled.* Nothing was sent\.$/,
    ),
  })
})

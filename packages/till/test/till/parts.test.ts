/** Captures and returns in parts: together never more than there is, counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { amountsSent, chargedShop, passes, quiet, sent, stages } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard, type Shop } from './shop.js'

describe('a part', () => {
  it('needs a key', async () => {
    const shop = await chargedShop()
    // @ts-expect-error The types need it as well.
    await expect(shop.till.return('basket-7', { amount: '3.00' })).rejects.toThrow('"key"')
    expect(sent(shop, 'return')).toBe(0)
  })

  it('is sent once for each key', async () => {
    const shop = await chargedShop()
    const part = { amount: '3.00', key: 'parcel-1' }
    expect((await shop.till.return('basket-7', part)).again).toBe(false)
    expect((await shop.till.return('basket-7', part)).again).toBe(true)
    expect((await shop.till.return('basket-7', { ...part, key: 'parcel-2' })).again).toBe(false)
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7', part)).again).toBe(true)
    expect(shop.told).toEqual(['basket-7 returned 3.00', 'basket-7 returned 3.00'])
    expect(stages(shop)).toEqual(['sale 10.00 approved', 'reversal 3.00 approved', 'reversal 3.00 approved'])
  })

  it('is refused with another amount under the same key', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
    await expect(shop.till.return('basket-7', { amount: '4.00', key: 'parcel-1' })).rejects.toMatchObject({
      code: 'ERR_OTHER_AMOUNT',
      message: expect.stringContaining('was sent before, over 3.00'),
    })
    expect(sent(shop, 'return')).toBe(1)
  })

  it('of a capture does not share its key with one of a return', async () => {
    const shop = await chargedShop(true)
    const part = { amount: '3.00', key: 'parcel-1' }
    await shop.till.capture('basket-7', part)
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7', part)).again).toBe(false)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 3.00', 'basket-7 returned 3.00'])
  })

  it('may be tried again under its key after it failed, once', async () => {
    const shop = await chargedShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    const part = { amount: '3.00', key: 'parcel-1' }
    await shop.till.return('basket-7', part)
    await passes(shop, quiet)
    const again = await Promise.all([1, 2].map(() => shop.till.return('basket-7', part)))
    expect(again.map(each => each.again).sort()).toEqual([false, true])
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7', part)).again).toBe(true)
    expect(shop.told).toEqual(['basket-7 failed 3.00', 'basket-7 returned 3.00'])
    expect(sent(shop, 'return')).toBe(2)
  })

  // ADR 0034: who is refused for a signature was not let in, and did nothing. The books of the gateway count.
  // Two endpoints of one merchant: the same part is another request at each, so that each till may take an id of its own.
  it('is sent once by two tills that send it to two endpoints, wherever one of them stands still', async () => {
    const part = { amount: '3.00', key: 'parcel-1' }
    for (let at = 1; at <= 12; at += 1) {
      const gateway = createFakeGateway({ merchants: [{ login: 'merchant', endpoints: [39, 40] }] })
      const store = memoryStore({ clock: gateway.clock.now }) as DocumentStore as Store<never>
      let left = Number.POSITIVE_INFINITY
      let reached = () => {}
      let goOn = () => {}
      const isThere = new Promise<void>(resolve => (reached = resolve))
      const mayGoOn = new Promise<void>(resolve => (goOn = resolve))
      const halting: Store<never> = {
        ...store,
        async read(key) {
          left -= 1
          if (left === 0) {
            reached()
            await mayGoOn
          }
          return store.read(key)
        },
      }
      const tillAt = (endpointId: string, own: Store<never>) =>
        createTill({
          account: { ...readyAccount(gateway), ...gateway.clientOptionsFor({ login: 'merchant', endpointId }) },
          store: own,
          address: 'http://127.0.0.1:9/payments',
          returnTo: () => '/',
          onOutcome: 'told-elsewhere',
          clock: gateway.clock.now,
          wait: quickWait,
        })
      const [one, other] = [tillAt('39', store), tillAt('40', halting)]
      await one.pay(byCard)
      await one.ask('basket-7')
      gateway.faults.arm({ fault: 'refuse-connection', operation: 'return', times: 2 })
      await one.return('basket-7', part).catch(() => undefined)
      gateway.faults.clear()
      left = at
      const halted = other.return('basket-7', part).catch(() => undefined)
      await Promise.race([isThere, halted])
      await one.return('basket-7', part).catch(() => undefined)
      await one.ask('basket-7')
      goOn()
      await halted
      expect([at, ...stages({ gateway })]).toEqual([at, 'sale 10.00 approved', 'reversal 3.00 approved'])
      await Promise.all([one.close(), other.close()])
      await gateway.close()
    }
  })

  it('may be sent again under its key once a control key was corrected that the gateway refused, once', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as DocumentStore as Store<never>
    const shop = await chargedShop(false, { gateway, store })
    const mistaken = createTill({
      account: { ...readyAccount(gateway), controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' },
      store,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: 'told-elsewhere',
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    const part = { amount: '3.00', key: 'parcel-1' }
    for (let tries = 0; tries < 2; tries += 1)
      await expect(mistaken.return('basket-7', part)).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED' })
    expect(stages(shop)).toEqual(['sale 10.00 approved'])
    const again = await Promise.all([1, 2].map(() => shop.till.return('basket-7', part)))
    expect(again.map(each => each.again).sort()).toEqual([false, true])
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7', part)).again).toBe(true)
    expect(stages(shop)).toEqual(['sale 10.00 approved', 'reversal 3.00 approved'])
    await mistaken.close()
  })

  it('is waited for where the one before is not known, and nothing is sent', async () => {
    const shop = await chargedShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
    await expect(shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })).rejects.toMatchObject({
      code: 'ERR_CHANGE_OPEN',
    })
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({ code: 'ERR_CHANGE_OPEN' })
    expect(sent(shop, 'return')).toBe(1)
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })).again).toBe(false)
    await passes(shop, quiet)
    expect(stages(shop).slice(1)).toEqual(['reversal 3.00 approved', 'reversal 3.00 approved'])
    expect(shop.told).toEqual(['basket-7 returned 3.00', 'basket-7 returned 3.00'])
    await expect(shop.till.return('basket-7', { amount: '4.01', key: 'parcel-3' })).rejects.toMatchObject({
      message: expect.stringContaining('at most 4.00 is left'),
    })
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({
      message: expect.stringMatching(
        /how much that is\. The answer to a request was lost, .* Name a part\. Nothing was sent\.$/,
      ),
    })
    expect(sent(shop, 'return')).toBe(2)
  })

  it('of more than is left is refused, and says how much is', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
    await expect(shop.till.return('basket-7', { amount: '7.01', key: 'parcel-2' })).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
      message: expect.stringContaining('at most 7.00 is left'),
    })
    expect(sent(shop, 'return')).toBe(1)
  })

  it('and others at the same moment never ask for more than there is', async () => {
    const shop = await chargedShop()
    const wishes = [
      shop.till.return('basket-7', { amount: '6.00', key: 'parcel-1' }),
      shop.till.return('basket-7', { amount: '6.00', key: 'parcel-2' }),
      shop.till.return('basket-7'),
    ]
    await Promise.allSettled(wishes)
    await passes(shop, quiet)
    // The fake refuses what is too much: it is the till that must not have asked for it.
    const asked = amountsSent(shop, 'return').map(each => Number(each === 'whole' ? '10.00' : each))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10)
  })
})

describe('a change that somebody else is faster than', () => {
  /** Two tills on one store. Once the first one has decided what to send, `meanwhile` happens, before it reserves that. */
  async function twoTills(meanwhile: (other: Shop['till']) => Promise<unknown>) {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    let reads = Number.NEGATIVE_INFINITY
    const shop = await chargedShop(false, {
      gateway,
      store: {
        ...store,
        async read(key) {
          if (key.startsWith('payment/')) reads += 1
          if (reads === 2 && key.startsWith('payment/')) await meanwhile(other)
          return store.read(key)
        },
      } as DocumentStore as Store<never>,
    })
    const other = createTill({
      account: readyAccount(gateway),
      store: store as DocumentStore as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: () => {},
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    reads = 0
    return { shop, close: () => other.close() }
  }

  it('sends no more than the other one has left', async () => {
    const { shop, close } = await twoTills(other => other.return('basket-7', { amount: '6.00', key: 'parcel-1' }))
    expect((await shop.till.return('basket-7')).again).toBe(false)
    expect(amountsSent(shop, 'return')).toEqual(['6.00', '4.00'])
    await close()
  })

  it('is not sent where the other one has not left enough', async () => {
    const { shop, close } = await twoTills(other => other.return('basket-7', { amount: '6.00', key: 'parcel-1' }))
    await expect(shop.till.return('basket-7', { amount: '6.00', key: 'parcel-2' })).rejects.toMatchObject({
      message: expect.stringContaining('at most 4.00 is left'),
    })
    expect(amountsSent(shop, 'return')).toEqual(['6.00'])
    await close()
  })

  it('is not sent where the other one has not come to its end', async () => {
    const { shop, close } = await twoTills(other => {
      shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
      return other.return('basket-7', { amount: '6.00', key: 'parcel-1' })
    })
    await expect(shop.till.return('basket-7', { amount: '1.00', key: 'parcel-2' })).rejects.toMatchObject({
      code: 'ERR_CHANGE_OPEN',
    })
    expect(amountsSent(shop, 'return')).toEqual(['6.00'])
    await close()
  })
})

describe('all that is left after a part', () => {
  it('is returned with its amount, once', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
    expect((await shop.till.return('basket-7')).again).toBe(false)
    expect((await shop.till.return('basket-7')).again).toBe(true)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 returned 3.00', 'basket-7 returned 7.00'])
    expect(amountsSent(shop, 'return')).toEqual(['3.00', '7.00'])
    expect((await shop.till.payment('basket-7')).state).toBe('returned')
  })

  it('may be tried again after it failed, and is less by then', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
    await passes(shop, quiet)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    await shop.till.return('basket-7')
    await passes(shop, quiet)
    await shop.till.return('basket-7', { amount: '1.00', key: 'parcel-2' })
    await passes(shop, quiet)
    await shop.till.return('basket-7')
    await passes(shop, quiet)
    expect(shop.told).toEqual([
      'basket-7 returned 2.00',
      'basket-7 failed 8.00',
      'basket-7 returned 1.00',
      'basket-7 returned 7.00',
    ])
    expect(amountsSent(shop, 'return')).toEqual(['2.00', '8.00', '1.00', '7.00'])
  })

  it('is not known, and not sent, where somebody gave a part back at the gateway', async () => {
    const shop = await chargedShop()
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'reverse', orderId, amount: '2.00' })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 returned 2.00'])
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
      message: expect.stringMatching(
        /its totals are not certain, .*Status shows the return over 2\.00 EUR, and no request in this store is behind that.* Name a part\. Nothing was sent\.$/,
      ),
    })
    expect(sent(shop, 'return')).toBe(0)
  })

  it('of a hold is captured with its amount', async () => {
    const shop = await chargedShop(true)
    await shop.till.capture('basket-7', { amount: '4.00', key: 'parcel-1' })
    await shop.till.capture('basket-7')
    await passes(shop, quiet)
    expect(amountsSent(shop, 'capture')).toEqual(['4.00', '6.00'])
    expect(shop.told).toEqual(['basket-7 paid 4.00', 'basket-7 paid 6.00'])
  })
})

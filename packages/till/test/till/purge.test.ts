/** Purged payments: their references are refused for ever, and nothing of them is charged again. Counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { documentKey } from '../../src/store/keys.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { placeOf } from './place.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop, type Shop } from './shop.js'

const day = 86_400_000

async function buys(shop: Shop, { hold = false, cvv2 = '123', reference = 'basket-7' } = {}) {
  await shop.customerPays((await shop.till.pay({ ...basket, reference, hold })).address, cvv2)
  await shop.gateway.callbacks.idle()
}

/** A hold that was given back: the next order of such a payment may be opened. */
async function releases(shop: Shop) {
  await buys(shop, { hold: true })
  await shop.till.void('basket-7')
  await shop.gateway.callbacks.idle()
  await shop.gateway.clock.advance(60_000)
  await shop.till.tick()
  expect((await shop.till.payment('basket-7')).state).toBe('released')
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    error => error.code,
  )

describe('till.purge', () => {
  it('purges what is over for so long, and keeps all that could still bring or take money', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await openShop({ gateway, store: store as Store<never> })
    await buys(shop)
    await buys(shop, { reference: 'declined', cvv2: '101' })
    await shop.till.pay({ ...basket, reference: 'open' })
    await gateway.clock.advance(541 * day)
    await shop.till.tick()
    await buys(shop, { reference: 'young' })
    expect(await shop.till.purge()).toEqual({ purged: 1 })
    expect(await shop.till.purge()).toEqual({ purged: 0 })
    const states = ['basket-7', 'declined', 'open', 'young'].map(async each => (await shop.till.payment(each)).state)
    expect(await Promise.all(states)).toEqual(['purged', 'declined', 'open', 'paid'])
    const { stored } = await store.read(documentKey({ clientOrderId: 'basket-7' }, placeOf(shop.till)))
    expect(stored?.body).not.toMatch(/10\.00|amount|fingerprint|status/)
  })

  it('lets a purged reference be paid by nobody, and changed by nobody', async () => {
    const shop = await openShop()
    await buys(shop)
    await shop.gateway.clock.advance(541 * day)
    await shop.till.purge()
    const calls = shop.gateway.calls().length
    expect(await codeOf(shop.till.pay(basket))).toBe('ERR_PAYMENT_OVER')
    expect(await codeOf(shop.till.pay({ ...basket, hold: true, amount: '7.00' }))).toBe('ERR_PAYMENT_OVER')
    expect(await codeOf(shop.till.pay({ ...basket, reference: 'BASKET-7' }))).toBe('ERR_OTHER_PAYMENT')
    expect(await codeOf(shop.till.return('basket-7'))).toBe('ERR_NOT_POSSIBLE')
    expect(shop.gateway.calls()).toHaveLength(calls)
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it('lists a chargeback of a purged payment as unmatched', async () => {
    const shop = await openShop()
    await buys(shop)
    await shop.gateway.clock.advance(541 * day)
    await shop.till.purge()
    shop.gateway.act({ action: 'charge-back', orderId: shop.gateway.orders.find('basket-7')?.orderId ?? '' })
    await shop.gateway.callbacks.idle()
    expect((await shop.till.report()).unmatched.total).toBe(1)
    expect((await shop.till.payment('basket-7')).state).toBe('purged')
  })

  it.each(['purge', 'pay'] as const)(
    'of one process in a race with pay of another, one wins: %s writes first',
    async first => {
      const gateway = createFakeGateway()
      const store = memoryStore({ clock: gateway.clientOptions.clock })
      const isHeld = { now: false }
      let letGo = () => {}
      const gone = new Promise<void>(resolve => {
        letGo = resolve
      })
      let tell = () => {}
      const holds = new Promise<void>(resolve => {
        tell = resolve
      })
      // The later of the two has read the document before the first one writes it.
      const isLater = (body: string) => body.includes('"purged"') !== (first === 'purge')
      const slow: DocumentStore = {
        ...store,
        async write(key, entry, options) {
          if (isHeld.now && isLater(entry.body)) {
            isHeld.now = false
            tell()
            await gone
          }
          return store.write(key, entry, options)
        },
      }
      const shop = await openShop({ gateway, store: slow as Store<never> })
      await releases(shop)
      await gateway.clock.advance(541 * day)
      const other = createTill({
        account: readyAccount(gateway),
        store: slow as Store<never>,
        address: `${shop.origin}/payments`,
        returnTo: () => '/',
        onOutcome: 'told-elsewhere',
        clock: gateway.clientOptions.clock,
        wait: quickWait,
      })
      isHeld.now = true
      const again = () => codeOf(shop.till.pay({ ...basket, hold: true }))
      const later = first === 'purge' ? again() : other.purge()
      await holds
      const earlier = first === 'purge' ? await other.purge() : await again()
      letGo()
      expect([earlier, await later]).toEqual(
        first === 'purge' ? [{ purged: 1 }, 'ERR_PAYMENT_OVER'] : ['resolved', { purged: 0 }],
      )
      expect(gateway.calls('preauthForm')).toHaveLength(first === 'purge' ? 1 : 2)
      await other.close()
    },
  )

  it.each([0, day - 1, 1.5, Number.NaN])('refuses an age of %d', async olderThan => {
    const shop = await openShop()
    await expect(shop.till.purge({ olderThan })).rejects.toThrow(TypeError)
  })
})

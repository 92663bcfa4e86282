/** A till whose new money a person stopped: nothing is opened by any process, and what is open goes on. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { directory } from '../sqlite/ground.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop } from './shop.js'

const ada = { who: 'ada', why: 'prices are wrong, ticket 12' }

const card = { reference: 'card-1', email: 'joan@customer.example' }

/** Another process of the shop: a till of its own on the same store. */
const another = (gateway: ReturnType<typeof createFakeGateway>, store: Store<never>) =>
  createTill({
    account: readyAccount(gateway),
    store,
    address: 'http://127.0.0.1:1/payments',
    returnTo: () => '/',
    onOutcome: () => {},
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })

describe('till.pause', () => {
  it('stops new orders in every process at once, says who and why, and lets them come again', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const shop = await openShop({ gateway, store })
    const other = another(gateway, store)
    // The other process has looked before.
    await other.pay({ ...basket, reference: 'basket-6' })
    expect(await shop.till.pause(ada)).toEqual({ ...ada, since: expect.any(Number) })
    for (const refused of [other.pay(basket), shop.till.pay(basket), other.verify(card)]) {
      await expect(refused).rejects.toMatchObject({ code: 'ERR_PAUSED', moneyMayHaveMoved: false })
      await expect(refused).rejects.toThrow('ada stopped new money, because "prices are wrong, ticket 12"')
    }
    const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }
    await expect(other.payout(payout)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
    expect([shop.books().length, gateway.calls('payout').length]).toEqual([1, 0])
    expect((await other.payment('basket-7')).state).toBe('new')
    await other.resume({ who: 'bob', why: 'prices are right' })
    expect(await shop.till.paused()).toBeUndefined()
    expect((await shop.till.pay(basket)).kind).toBe('go')
    await other.close()
  })

  it('leaves what is open alone: a form is given, paid, told, captured and returned', async () => {
    const shop = await openShop()
    const first = await shop.till.pay({ ...basket, hold: true })
    await shop.till.pause(ada)
    expect(await shop.till.pay({ ...basket, hold: true })).toMatchObject({ kind: 'go', address: first.address })
    await shop.customerPays(first.address)
    await shop.gateway.callbacks.idle()
    await shop.till.capture('basket-7')
    await shop.gateway.callbacks.idle()
    expect((await shop.till.pay({ ...basket, hold: true })).kind).toBe('over')
    await shop.till.return('basket-7')
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00', 'basket-7 returned 10.00'])
  })

  it('opens no other order after a decline', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.till.pause(ada)
    await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
    expect(shop.books()).toEqual(['basket-7 sale declined'])
  })

  it('sends no payout that was checked before', async () => {
    const shop = await openShop()
    const payout = {
      reference: 'payout-7',
      checked: true,
      amount: '10.00',
      currency: 'EUR',
      accountNumber: 'NL91ABNA0417164300',
    } as const
    await shop.till.payout(payout)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['payout-7 verified 10.00'])
    await shop.till.pause(ada)
    await expect(shop.till.payout(payout)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
    expect(shop.gateway.calls('payoutPay')).toHaveLength(0)
    await shop.till.resume(ada)
    await shop.till.payout(payout)
    expect(shop.gateway.calls('payoutPay')).toHaveLength(1)
  })

  it('keeps who paused first, and another name of a till is another till', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const shop = await openShop({ gateway, store })
    await shop.till.pause(ada)
    expect(await shop.till.pause({ who: 'bob', why: 'me too' })).toMatchObject(ada)
    const south = await openShop({ gateway, store, name: 'south' })
    expect(await south.till.paused()).toBeUndefined()
    expect((await south.till.pay({ ...basket, reference: 'basket-8' })).kind).toBe('go')
  })

  it('survives a restart on a file', async () => {
    const gateway = createFakeGateway()
    const file = `${directory()}/shop.db`
    const before = sqliteStore(file)
    const till = another(gateway, before as unknown as Store<never>)
    await till.pause(ada)
    await till.close()
    await before.close()
    const after = sqliteStore(file)
    const next = another(gateway, after as unknown as Store<never>)
    await expect(next.pay(basket)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
    expect(await next.tick()).toBe(0)
    await next.close()
    await after.close()
    expect(gateway.orders.list()).toEqual([])
  })

  it('opens nothing while the store does not say whether new money is stopped', async () => {
    const gateway = createFakeGateway()
    const kept = memoryStore({ clock: gateway.clientOptions.clock })
    const read: typeof kept.read = async key => {
      if (key.startsWith('till/')) throw new StoreError('ERR_STORE_SCHEMA', 'of another release')
      return kept.read(key)
    }
    const till = another(gateway, { ...kept, read } as Store<never>)
    await expect(till.pay(basket)).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' })
    expect(gateway.calls('saleForm')).toEqual([])
    await till.close()
  })
})

describe('who pauses, and why', () => {
  it.each([
    ['no who', { who: '', why: 'x' }, '"who" is empty'],
    ['blanks', { who: ' \u200b ', why: 'x' }, '"who" is empty'],
    ['a who of a megabyte', { who: 'a'.repeat(1_000_000), why: 'x' }, '"who" has 1000000 characters'],
    ['a number', { who: 7, why: 'x' }, '"who" is no text'],
    ['no why', { who: 'ada' }, '"why" is no text'],
    ['a why of two lines', { who: 'ada', why: 'a\nb' }, '"why" has a line break'],
  ])('is refused: %s', async (_, person, message) => {
    const shop = await openShop()
    await expect(shop.till.pause(person as never)).rejects.toThrow(message)
    expect(await shop.till.paused()).toBeUndefined()
  })

  it('has no card number', async () => {
    const shop = await openShop()
    const { why, since } = await shop.till.pause({ who: 'ada', why: 'card 4444 4444 4444 4448 is stolen' })
    expect(why).not.toContain('4444 4444 4448')
    expect(JSON.stringify(await shop.till.paused())).toBe(JSON.stringify({ who: 'ada', why, since }))
  })
})

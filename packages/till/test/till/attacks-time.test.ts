/** A till whose clock is not the store's, what was purged, what comes from outside: nothing is charged twice. Counted in the gateway's books. */
import { createClient } from '@tillkit/client'
import { createFakeGateway, signedCallback } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTill, type UnmatchedCallback } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { ada, passes } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, card, openShop, type Shop } from './shop.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    error => error.code ?? String(error),
  )

describe.each([1, -1])('a till whose clock is %d hours off from the store', hours => {
  it('takes a payment after a decline, gives it back in parts, and tells all once', async () => {
    const gateway = createFakeGateway()
    const shop = await openShop({ gateway, clock: () => gateway.clock.now() + hours * hour })
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.gateway.callbacks.idle()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
    await passes(shop)
    await shop.till.return('basket-7')
    for (let round = 0; round < 3; round += 1) await passes(shop, hour)
    expect(shop.books()).toEqual([
      'basket-7 sale declined',
      'basket-7.2r sale approved, reversal approved, reversal approved',
    ])
    expect(shop.told).toEqual([
      'basket-7 declined 10.00',
      'basket-7 paid 10.00',
      'basket-7 returned 3.00',
      'basket-7 returned 7.00',
    ])
  })

  it('and another one whose clock is right lead a customer on to one form', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const shop = await openShop({ gateway, store, clock: () => gateway.clock.now() + hours * hour })
    const next = await shop.till.pay(basket)
    const other = createTill({
      account: readyAccount(gateway),
      store,
      address: `${shop.origin}/payments`,
      returnTo: ({ reference }) => `/orders/${reference}`,
      onOutcome: () => {},
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    expect((await other.pay(basket)).address).toBe(next.address)
    shop.serve(other)
    await shop.customerPays(next.address)
    await gateway.callbacks.idle()
    expect((await shop.till.pay(basket)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
    await other.close()
  })

  it('takes up an order that was made elsewhere, and a person decides', async () => {
    const gateway = createFakeGateway()
    const shop = await openShop({ gateway, clock: () => gateway.clock.now() + hours * hour })
    await makesByHand(shop, 'web-117')
    await passes(shop)
    expect(await shop.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' })).toMatchObject({
      kind: 'adopted',
    })
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    gateway.faults.arm({ fault: 'drop', operation: 'return' })
    await shop.till.return('basket-7')
    await passes(shop)
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'done' })
    await shop.till.return('basket-7')
    await passes(shop)
    expect(shop.books()).toEqual(['web-117 sale approved, reversal approved'])
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
  })
})

/** The merchant's own code sends an order, without a store. */
async function makesByHand({ gateway }: Pick<Shop, 'gateway'>, clientOrderId: string) {
  const client = createClient(gateway.clientOptions)
  await client.sale({
    amount: '10.00',
    currency: 'EUR',
    email: 'joan@customer.example',
    ...card,
    clientOrderId,
    redirectUrl: 'https://shop.example/',
  })
  await client.close()
}

describe('a purged payment', () => {
  it('is charged by nobody after a restore either, and a late callback of it is unmatched', async () => {
    const shop = await openShop()
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    await shop.gateway.clock.advance(541 * day)
    expect(await shop.till.purge()).toEqual({ purged: 1 })
    await shop.till.start({ restored: true })
    shop.gateway.act({ action: 'charge-back', orderId: shop.gateway.orders.find('basket-7')?.orderId ?? '' })
    await shop.gateway.callbacks.idle()
    expect(await codeOf(shop.till.pay(basket))).toBe('ERR_PAYMENT_OVER')
    expect(await codeOf(shop.till.return('basket-7'))).toBe('ERR_NOT_POSSIBLE')
    expect(await shop.till.adopt({ reference: 'basket-7' })).toMatchObject({ kind: 'refused', because: 'over' })
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'refused' })
    expect((await shop.till.wait('basket-7')).state).toBe('purged')
    expect((await shop.till.report()).unmatched.total).toBe(1)
    expect(shop.books()).toEqual(['basket-7 sale approved, chargeback approved'])
  })

  it('keeps an order that was adopted: it is nobody else’s', async () => {
    const shop = await openShop()
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await makesByHand(shop, 'web-117')
    await passes(shop)
    await shop.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' })
    await shop.gateway.clock.advance(541 * day)
    expect(await shop.till.purge()).toEqual({ purged: 1 })
    expect(await shop.till.adopt({ reference: 'basket-8', clientOrderId: 'web-117' })).toMatchObject({
      kind: 'refused',
      because: 'belongs-elsewhere',
    })
    expect(await codeOf(shop.till.pay({ ...basket, reference: 'web-117' }))).toMatch(/^ERR_/)
    expect(await codeOf(shop.till.pay(basket))).toBe('ERR_PAYMENT_OVER')
    expect(shop.gateway.calls('saleForm')).toHaveLength(0)
  })
})

describe('a callback with ids that are far too long', () => {
  it.each([300, 6_000])(
    'of %d characters, signed or not, stays small in the store and holds up nobody',
    async length => {
      const gateway = createFakeGateway()
      const heard: UnmatchedCallback[] = []
      const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
      const shop = await openShop({ gateway, store: store as Store<never>, onUnmatched: each => void heard.push(each) })
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      const controlKey = gateway.clientOptions.controlKey ?? ''
      const long = 'x'.repeat(length)
      for (const [orderId, clientOrderId] of [
        ['9', long],
        [long, 'phone-1'],
        ['9', '\u202e../../__proto__'],
      ] as const) {
        const callback = signedCallback({ status: 'approved', orderId, clientOrderId, controlKey })
        for (let times = 0; times < 2; times += 1) await fetch(callback.url(`${shop.origin}/payments/callback`))
      }
      await shop.customerPays((await shop.till.pay(basket)).address)
      for (let round = 0; round < 3; round += 1) await passes(shop)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      const kept = (await shop.till.report()).unmatched
      expect(heard).toHaveLength(kept.total)
      expect(kept.total).toBe(1)
    },
  )
})

describe('who and why', () => {
  it.each(['ada\u202egnp.exe', 'a\u2066da'])('with characters that turn the text around are refused: %j', async who => {
    const shop = await openShop()
    await expect(shop.till.pause({ who, why: 'ticket' })).rejects.toThrow(TypeError)
  })
})

describe('pay and adopt at the same moment in two processes', () => {
  /** The call that writes down how the request for the form ended. */
  const answering = 4
  it.each(Array.from({ length: 8 }, (_, at) => at))(
    'the other one acts at call %d of the store: one order is told as paid',
    async at => {
      const gateway = createFakeGateway()
      await gateway.listen()
      const kept = memoryStore({ clock: gateway.clientOptions.clock })
      const other = await openShop({ gateway, store: kept as Store<never> })
      await makesByHand(other, 'web-117')
      await passes(other)
      let calls = -1
      const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
        calls += 1
        if (calls === at) await other.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' })
        return call()
      }
      const watched: DocumentStore = {
        ...kept,
        read: key => step(() => kept.read(key)),
        write: (key, entry, options) => step(() => kept.write(key, entry, options)),
      }
      const shop = await openShop({ gateway, store: watched as Store<never> })
      const next = await shop.till.pay(basket)
      expect(calls).toBeGreaterThanOrEqual(0)
      await passes(other)
      const again = await other.till.pay(basket)
      expect([other.told, again.kind]).toEqual(calls >= at ? [['basket-7 paid 10.00'], 'over'] : [[], 'go'])
      // A form that was opened before the adoption can be paid still: then it is surplus, and never a second "paid".
      if (next.kind === 'go' && calls >= at) {
        await shop.customerPays(next.address)
        await gateway.callbacks.idle()
        await passes(shop)
        expect([...other.told, ...shop.told].toSorted()).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
      }
      // Nobody hears the address of a form that was opened while the payment was paid otherwise: `next` leads to the merchant's page.
      const isFormUnused = next.kind === 'over' && at === answering
      expect(gateway.calls('saleForm').length).toBe(next.kind === 'go' || isFormUnused ? 1 : 0)
    },
  )
})

describe('an order that is claimed for two payments', () => {
  it('at once by two processes belongs to one, and neither is told twice', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const [one, two] = [await openShop({ gateway, store }), await openShop({ gateway, store })]
    await makesByHand(one, 'web-117')
    await passes(one)
    const results = await Promise.all([
      one.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' }),
      two.till.adopt({ reference: 'basket-8', clientOrderId: 'web-117' }),
      one.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' }),
      two.till.adopt({ reference: 'web-117' }),
    ])
    const won = new Set(results.filter(({ kind }) => kind === 'adopted').map(({ payment }) => payment.reference))
    expect(won.size).toBe(1)
    await passes(one)
    expect([...one.told, ...two.told]).toEqual([`${[...won]} paid 10.00`])
    const kinds = await Promise.all(
      ['basket-7', 'basket-8', 'web-117'].map(reference =>
        one.till.pay({ ...basket, reference }).then(
          ({ kind }) => kind,
          error => error.code,
        ),
      ),
    )
    expect(kinds.filter(kind => kind === 'over')).toHaveLength(1)
  })
})

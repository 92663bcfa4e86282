/** One charge, one telling, whatever happens in between: counted in the gateway's books. */
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import { dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, card, openShop, type Shop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const minute = 60_000

/** Longer than any request can be on its way. */
const quiet = 3 * minute

const approved = (shop: Pick<Shop, 'books'>) => shop.books().filter(line => line.includes('approved'))

describe('a form whose answer was lost', () => {
  it('till.pay, form whose answer was lost: waits, then opens the next order, and charges once', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    const first = await shop.till.pay(basket)
    expect(first).toMatchObject({ kind: 'wait', payment: { state: 'unknown' } })
    expect((await shop.till.pay(basket)).kind).toBe('wait')
    await passes(shop, quiet)
    const page = await fetch(new URL(first.address, shop.origin))
    expect(await page.text()).toContain('action="/orders/basket-7/pay"')
    const next = await shop.till.pay(basket)
    expect(next.kind).toBe('go')
    await shop.customerPays(next.address)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(approved(shop)).toEqual(['basket-7.2r sale approved'])
    expect(shop.gateway.calls('saleForm')).toHaveLength(2)
  })

  it('is waited for as well where status does not answer', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    await shop.till.pay(basket)
    await shop.gateway.clock.advance(quiet)
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
    expect((await shop.till.pay(basket)).kind).toBe('wait')
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })
})

describe('a return whose answer was lost', () => {
  it('is known to have happened, though status showed that before it could be judged', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    expect((await shop.till.return('basket-7')).kind).toBe('unknown')
    await shop.gateway.callbacks.idle()
    await shop.till.tick()
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
    expect((await shop.till.payment('basket-7')).underWay).toMatchObject([{ state: 'unknown' }])
    await passes(shop, quiet)
    expect((await shop.till.payment('basket-7')).underWay).toEqual([])
  })
})

describe('a card payment whose answer was lost', () => {
  it('till.pay, card payment whose answer was lost: never opens a second order, and tells it once status shows it', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    expect((await shop.till.pay({ ...basket, ...card })).kind).toBe('wait')
    for (let round = 0; round < 5; round += 1) {
      await passes(shop, quiet)
      expect((await shop.till.pay({ ...basket, ...card })).kind).not.toBe('go')
    }
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })
})

describe('a card payment that never arrived', () => {
  it.each([
    ['comes to an end without a person, once the till has learnt the gateway’s word for it', true],
    ['stays unknown until a person ends it, where nobody ever asked for that word', false],
  ])('till.pay, card payment that left no trace: %s', async (_, isLearnt) => {
    const shop = await openShop({ listens: true })
    if (isLearnt) expect(await shop.till.check()).toMatchObject([{ login: 'merchant', orderNeverSeen: '1' }])
    shop.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
    expect((await shop.till.pay({ ...basket, ...card })).kind).toBe('wait')
    for (let round = 0; round < 4; round += 1) await passes(shop, 30 * minute)
    expect((await shop.till.payment('basket-7')).state).toBe(isLearnt ? 'declined' : 'unknown')
    const next = await shop.till.pay({ ...basket, ...card })
    expect(next.kind).toBe(isLearnt ? 'go' : 'wait')
    await passes(shop, 10 * minute)
    expect(approved(shop)).toHaveLength(isLearnt ? 1 : 0)
  })
})

describe('two orders that bring money', () => {
  const correct = (shop: Shop) =>
    shop.gateway.act({
      action: 'correct',
      status: 'approved',
      orderId: shop.gateway.orders.find('basket-7')?.orderId ?? '',
    })

  it.each([
    ['the gateway calls back', 0],
    ['its callback is lost', 1],
  ])(
    'till.pay, surplus: needs a person where a decline is corrected after another card was charged, and %s',
    async (_, lost) => {
      const shop = await openShop()
      await shop.customerPays((await shop.till.pay(basket)).address, '101')
      await shop.customerPays((await shop.till.pay(basket)).address)
      await shop.gateway.callbacks.idle()
      expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
      if (lost === 1) shop.gateway.faults.arm('callback-never')
      correct(shop)
      await passes(shop, 10 * minute)
      expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00', 'basket-7 surplus 10.00'])
      expect(await shop.till.payment('basket-7')).toMatchObject({
        state: 'surplus',
        needsPerson: expect.stringContaining('give one of them back'),
      })
      await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
      expect(shop.books()).toHaveLength(2)
    },
  )

  it('till.pay, declined and corrected since: asks status first, and opens no second order', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.gateway.callbacks.idle()
    shop.gateway.faults.arm('callback-never')
    correct(shop)
    expect((await shop.till.pay(basket)).kind).toBe('over')
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
    expect(shop.books()).toHaveLength(1)
  })

  it('till.pay, form replaced over another amount: opens the next order, and tells a payment of both as surplus', async () => {
    const shop = await openShop({ replaceOpenForm: true })
    const first = await shop.till.pay(basket)
    const second = await shop.till.pay({ ...basket, amount: '12.00' })
    expect(second).toMatchObject({ kind: 'go', payment: { amount: '12.00' } })
    await shop.customerPays(second.address)
    await shop.customerPays(first.address)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00'])
    // A person gives the later one back, and then the payment is what the other one is.
    await expect(shop.till.return('basket-7')).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    expect(await shop.till.return('basket-7.2r')).toMatchObject({ kind: 'sent', again: false })
    await shop.gateway.callbacks.idle()
    expect(shop.told.at(-1)).toBe('basket-7 returned 12.00')
    expect(await shop.till.payment('basket-7')).toMatchObject({
      state: 'paid',
      amount: '10.00',
      needsPerson: undefined,
    })
    expect((await shop.till.pay(basket)).kind).toBe('over')
  })
})

describe('an order that has not ended, over another amount', () => {
  const dearer = { ...basket, amount: '12.00' }

  it('till.pay, form open over another amount: refuses, and sends nothing', async () => {
    const shop = await openShop()
    const first = await shop.till.pay(basket)
    await expect(shop.till.pay(dearer)).rejects.toMatchObject({
      code: 'ERR_OTHER_AMOUNT',
      message: expect.stringMatching(
        /over 10\.00, .*over 12\.00, .*Ask for 10\.00 again.*"replaceOpenForm".*Nothing was sent\.$/,
      ),
    })
    expect((await shop.till.pay(basket)).address).toBe(first.address)
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
    await shop.customerPays(first.address)
    await expect(shop.till.pay(dearer)).rejects.toThrow(
      'is paid or held over 10.00, and not over the 12.00 asked for now',
    )
  })

  it('till.pay, form open over another amount while status does not answer: refuses, and sends nothing', async () => {
    const shop = await openShop()
    await shop.till.pay(basket)
    shop.gateway.faults.arm({ fault: 'maintenance-page', operation: 'status' })
    await expect(shop.till.pay(dearer)).rejects.toMatchObject({ code: 'ERR_OTHER_AMOUNT' })
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })

  it.each(['drop', 'commit-then-drop'] as const)(
    'till.pay, card payment unknown over another amount: refuses, and sends nothing (%s)',
    async fault => {
      const shop = await openShop()
      shop.gateway.faults.arm('callback-never')
      shop.gateway.faults.arm({ fault, operation: 'sale' })
      await shop.till.pay({ ...basket, ...card })
      shop.gateway.faults.arm({ fault: 'maintenance-page', operation: 'status' })
      await expect(shop.till.pay({ ...dearer, ...card })).rejects.toMatchObject({ code: 'ERR_OTHER_AMOUNT' })
      expect(shop.gateway.calls('sale')).toHaveLength(1)
    },
  )

  it('makes way for the other amount once the gateway has declined it', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('callback-never')
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    expect(await shop.till.pay(dearer)).toMatchObject({ kind: 'go', payment: { amount: '12.00' } })
  })
})

describe('an open form whose host is not allowed any more', () => {
  /** The till of a shop that is told of other hosts than the one that the form was opened at. */
  const moved = (
    shop: Shop,
    store: DocumentStore,
    options: Partial<Parameters<typeof createTill>[0]['account']> = {},
    rules: { readonly replaceOpenForm?: boolean } = {},
  ) => {
    const till = createTill({
      account: { ...shop.gateway.clientOptions, wait: quickWait, redirectHosts: ['pay.example'], ...options },
      store: store as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: ({ reference }) => `/orders/${reference}`,
      onOutcome: ({ kind }) => void shop.told.push(`moved ${kind}`),
      clock: shop.gateway.clientOptions.clock,
      wait: quickWait,
      ...rules,
    })
    onTestFinished(() => till.close())
    return till
  }
  const opened = async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await openShop({ gateway, listens: true, store: store as Store<never> })
    const { address } = await shop.till.pay(basket)
    return { shop, store, address }
  }

  it('is said to be an earlier one, with the host to allow where the gateway knows the order', async () => {
    const { shop, store, address } = await opened()
    await expect(moved(shop, store).pay(basket)).rejects.toMatchObject({
      code: 'ERR_REDIRECT_REFUSED',
      message: expect.stringContaining(`add "${new URL(address).host}" to it`),
    })
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })

  it('is said to be one of another gateway, where this one does not know the order', async () => {
    const { shop, store } = await opened()
    const other = createFakeGateway()
    onTestFinished(() => other.close())
    const { baseUrl } = await other.listen()
    const till = moved(shop, store, { ...other.clientOptions, redirectHosts: [new URL(baseUrl).host] })
    await expect(till.pay(basket)).rejects.toThrow(/was opened earlier, at .* does not know\. .* new reference/)
    expect(other.calls('saleForm')).toHaveLength(0)
  })

  it('is replaced by none, also where untouched forms are: it can be paid in another window', async () => {
    const { shop, store, address } = await opened()
    const other = moved(shop, store, {}, { replaceOpenForm: true })
    await expect(other.pay(basket)).rejects.toMatchObject({ code: 'ERR_REDIRECT_REFUSED' })
    await expect(other.pay(basket)).rejects.toMatchObject({ code: 'ERR_REDIRECT_REFUSED' })
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
    expect((await shop.till.pay(basket)).address).toBe(address)
  })

  it('is replaced by none, also after a decline on it, where the gateway takes another card on the same form', async () => {
    const profile = defineProfile({ formRetries: true })
    const { shop, store, address } = await opened()
    await shop.customerPays(address, '101')
    expect(shop.told).toEqual(['basket-7 declined 10.00'])
    await expect(moved(shop, store, { profile }).pay(basket)).rejects.toMatchObject({ code: 'ERR_REDIRECT_REFUSED' })
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })

  it('does not hide that the order has ended', async () => {
    const { shop, store, address } = await opened()
    shop.gateway.faults.arm('callback-never')
    const { close } = shop.till
    await close()
    await shop.customerPays(address).catch(() => undefined)
    expect((await moved(shop, store).pay(basket)).kind).toBe('over')
  })
})

describe('another card, while nobody can say how the first order stands', () => {
  const declinedOnce = async () => {
    const warned = watchWarnings()
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    return { shop, warned }
  }

  it.each([
    ['status is not answered', 'drop', 'no-answer', /gave no answer/],
    ['the gateway does not know it', 'status-never-seen', 'not-known', /has forgotten its orders, .* delete the store/],
  ] as const)('is asked for later where %s: the page and a warning say so', async (_case, fault, reason, why) => {
    const { shop, warned } = await declinedOnce()
    shop.gateway.faults.arm({ fault, operation: 'status', times: 20 })
    const next = await shop.till.pay(basket)
    expect(next).toMatchObject({ kind: 'wait', payment: { state: 'declined' } })
    const page = await (await fetch(next.address)).text()
    expect(page).toContain('Another payment is not possible right now')
    expect(page).not.toContain('You can try another one')
    expect(page).toContain('action="/orders/basket-7/pay"')
    expect(warned('WARN_STATUS_MISSING')).toEqual([expect.stringMatching(why)])
    expect(warned('WARN_STATUS_MISSING')[0]).toContain(`(${reason}): Order "basket-7".`)
    expect(shop.books()).toEqual(['basket-7 sale declined'])
    shop.gateway.faults.clear()
    expect((await shop.till.pay(basket)).kind).toBe('go')
  })
})

describe('a process that dies while it is asked to take a payment', () => {
  const deaths = Array.from({ length: 5 }, (_, at) => at).flatMap(at => [
    { at, when: 'before' } as const,
    { at, when: 'after' } as const,
  ])

  it.each(deaths)(
    '$when call $at of its store: the customer is charged once, and the merchant told once',
    async death => {
      const gateway = createFakeGateway()
      const store = memoryStore({ clock: gateway.clientOptions.clock })
      const dying = dyingStore(store, death)
      const shop = await openShop({ gateway, store: store as Store<never> })
      const doomed = createTill({
        account: readyAccount(gateway),
        store: dying.store as DocumentStore as Store<never>,
        address: `${shop.origin}/payments`,
        returnTo: () => '/',
        onOutcome: () => {},
        clock: gateway.clientOptions.clock,
        wait: quickWait,
      })
      const left = await Promise.race([doomed.pay(basket), dying.died])
      expect([dying.isDead(), left === undefined]).toEqual([dying.calls() > death.at, dying.isDead()])
      await passes(shop, quiet)
      const next = await shop.till.pay(basket)
      expect(next.kind).toBe('go')
      await shop.customerPays(next.address)
      await passes(shop, quiet)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      expect(approved(shop)).toHaveLength(1)
    },
  )
})

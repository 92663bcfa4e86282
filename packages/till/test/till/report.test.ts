/** The till reports which payments need attention, compared with the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTill } from '../../src/index.js'
import { createListReader } from '../../src/report/lists.js'
import { entryOf } from '../../src/rules/kept/entry.js'
import { emptyDocument, type PaymentDocument } from '../../src/state/document.js'
import type { KnownOrder } from '../../src/state/known.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { withFacts } from '../state/facts-of.js'
import { passes } from './acts.js'
import { dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'

const minute = 60_000
const quiet = 3 * minute

async function pays(shop: Shop, reference = 'basket-7', more: object = {}) {
  await shop.till.pay({ ...byCard, reference, ...more })
  await shop.gateway.callbacks.idle()
}

/** A shop with a store that the test writes into. */
async function openedShop(options: ShopOptions<never> = {}) {
  const gateway = createFakeGateway()
  const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
  return { store, shop: await openShop({ gateway, ...options, store: store as Store<never> }) }
}

const totals = async ({ till }: Pick<Shop, 'till'>) => {
  const { unreadable, ...lists } = await till.report()
  return Object.fromEntries(Object.entries(lists).flatMap(([list, { total }]) => (total === 0 ? [] : [[list, total]])))
}

describe('the report', () => {
  it('is empty where all is well', async () => {
    const shop = await openShop()
    await pays(shop)
    expect(await totals(shop)).toEqual({})
    expect((await shop.till.report()).open).toEqual({ total: 0, since: undefined, items: [] })
  })

  it('names a change under way, and what no handler was told yet, until each is over', async () => {
    const gateway = createFakeGateway({ processingTime: 5 * minute })
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as DocumentStore as Store<never>
    const shop = await openShop({ gateway, store })
    await shop.till.pay(byCard)
    await passes(shop, 6 * minute)
    const office = createTill({
      account: gateway.clientOptions,
      store,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: 'told-elsewhere',
      clock: gateway.clientOptions.clock,
    })
    gateway.faults.arm({ fault: 'callback-never', operation: 'return' })
    await office.return('basket-7', { amount: '3.00', key: 'cup' })
    const { open, untold } = await office.report()
    expect([open.total, untold.total]).toEqual([1, 0])
    expect(open.items).toMatchObject([
      { reference: 'basket-7', payment: { underWay: [{ operation: 'return', amount: '3.00', state: 'sent' }] } },
    ])
    await gateway.clock.advance(6 * minute)
    await office.ask('basket-7')
    const later = await office.report()
    expect([later.open.total, later.untold.total]).toEqual([0, 1])
    // The gateway's books say what is to be told.
    const booked = gateway.orders.find('basket-7')?.stages.at(-1)
    expect(later.untold.items).toMatchObject([
      { reference: 'basket-7', payment: { untold: [{ stage: booked?.stage, amount: booked?.amount }] } },
    ])
    await shop.till.tick()
    expect(await totals(shop)).toEqual({})
    expect((await office.payment('basket-7')).untold).toEqual([])
    await office.close()
  })

  it('says how much is open, and since when: forms of customers apart from what the gateway is at work on', async () => {
    const shop = await openShop()
    await shop.till.pay(basket)
    await passes(shop, 20 * minute)
    await shop.till.pay({ ...basket, reference: 'basket-8' })
    await pays(shop, 'basket-9')
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'return' })
    await shop.till.return('basket-9')
    const { forms, open } = await shop.till.report()
    const now = shop.gateway.clientOptions.clock()
    expect([forms.total, open.total]).toEqual([2, 1])
    expect(now - (forms.since ?? 0)).toBeGreaterThanOrEqual(20 * minute)
    expect(now - (open.since ?? 0)).toBeLessThan(20 * minute)
  })

  it('names both orders of a surplus', async () => {
    const shop = await openShop({ replaceOpenForm: true })
    const first = await shop.till.pay(basket)
    await shop.customerPays((await shop.till.pay({ ...basket, amount: '12.00' })).address)
    await shop.customerPays(first.address)
    await shop.gateway.callbacks.idle()
    const { surplus, needsPerson } = await shop.till.report()
    expect(surplus).toMatchObject({
      total: 1,
      next: undefined,
      items: [
        {
          reference: 'basket-7',
          orders: [
            { clientOrderId: 'basket-7', amount: '10.00', currency: 'EUR' },
            { clientOrderId: 'basket-7.2r', amount: '12.00', currency: 'EUR' },
          ],
        },
      ],
    })
    expect(needsPerson.total).toBe(0)
    await shop.till.return('basket-7.2r')
    await passes(shop, quiet)
    expect(shop.books()).toEqual(['basket-7 sale approved', 'basket-7.2r sale approved, reversal approved'])
    expect(await totals(shop)).toEqual({})
  })

  it('names a handler that fails: which outcome, since when, how often, and what it threw, until it is told', async () => {
    let isBroken = true
    const { shop } = await openedShop({
      onOutcome: ({ payment }) => {
        if (isBroken && payment.reference === 'basket-7')
          throw new Error('joan@customer.example, card 4444 4444 4444 4448: the table is locked')
      },
    })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const began = shop.gateway.clientOptions.clock()
    await pays(shop)
    await pays(shop, 'basket-8')
    for (let time = 0; time < 3; time += 1) await passes(shop, 10 * minute)
    const { failing } = await shop.till.report()
    expect(failing).toMatchObject({ total: 1, items: [{ reference: 'basket-7', outcome: 'paid' }] })
    const [{ since, tries, error } = { since: 0, tries: 0, error: '' }] = failing.items
    expect(since).toBeGreaterThanOrEqual(began)
    expect(since).toBeLessThan(began + 10 * minute)
    expect(tries).toBeGreaterThan(2)
    expect(error).toBe('Error: ***, card 444444******4448: the table is locked')
    isBroken = false
    await passes(shop, 60 * minute)
    expect(shop.told).toEqual(['basket-8 paid 10.00', 'basket-7 paid 10.00'])
    expect(await totals(shop)).toEqual({})
  })

  it('names a handler that does not come back', async () => {
    const { shop } = await openedShop({ onOutcome: () => new Promise(() => {}), handlerTimeout: 20 })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await pays(shop)
    let failing: Awaited<ReturnType<typeof shop.till.report>>['failing']['items'] = []
    while (failing.length === 0) {
      await passes(shop, minute)
      failing = (await shop.till.report()).failing.items
    }
    expect(failing).toMatchObject([
      {
        reference: 'basket-7',
        outcome: 'paid',
        tries: expect.any(Number),
        error: expect.stringContaining('did not end within "handlerTimeout"'),
      },
    ])
  })

  it('names what was not answered, each request since when, until it is known', async () => {
    const shop = await openShop()
    await pays(shop)
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    const sent = shop.gateway.clientOptions.clock()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
    const { unknown, needsPerson } = await shop.till.report()
    expect(unknown).toMatchObject({
      total: 1,
      items: [{ reference: 'basket-7', requests: [{ operation: 'return', amount: '3.00' }] }],
    })
    expect(unknown.items[0]?.since).toBeGreaterThanOrEqual(sent)
    expect(unknown.items[0]?.since).toBeLessThanOrEqual(shop.gateway.clientOptions.clock())
    expect(needsPerson.total).toBe(0)
    await passes(shop, quiet)
    expect(shop.told).toContain('basket-7 returned 3.00')
    expect(await totals(shop)).toEqual({})
  })

  it('says why a person is needed: the gateway contradicted itself', async () => {
    const shop = await openShop()
    await pays(shop)
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'correct', orderId, status: 'declined' })
    await passes(shop, quiet)
    const { needsPerson } = await shop.till.report()
    expect(needsPerson).toMatchObject({
      total: 1,
      items: [{ reference: 'basket-7', why: expect.stringContaining('contradicted') }],
    })
  })
})

/** The process that captures dies after it has reserved and before it sends anything. */
async function neverSent() {
  for (let at = 0; at < 12; at += 1) {
    const { store, shop } = await openedShop()
    await pays(shop, 'basket-7', { hold: true })
    const dying = dyingStore(store, { at, when: 'after' })
    const doomed = createTill({
      account: readyAccount(shop.gateway),
      store: dying.store as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: () => {},
      clock: shop.gateway.clientOptions.clock,
      wait: quickWait,
    })
    await Promise.race([doomed.capture('basket-7'), dying.died])
    const { timeline } = await shop.till.payment('basket-7')
    const isReserved = timeline.some(({ text }) => text.includes('capture'))
    if (isReserved && shop.gateway.calls('capture').length === 0) return shop
  }
  throw new Error('No process died there.')
}

describe('a change that was reserved and never sent', () => {
  it('is unknown once nothing of it can be on its way, and needs a person after the patience', async () => {
    const shop = await neverSent()
    expect(await totals(shop)).toEqual({ open: 1 })
    await passes(shop, quiet)
    const { unknown, needsPerson } = await shop.till.report()
    expect(unknown).toMatchObject({ total: 1, items: [{ requests: [{ operation: 'capture' }] }] })
    expect(needsPerson.total).toBe(0)
    await passes(shop, 24 * 60 * minute)
    expect((await shop.till.report()).needsPerson).toMatchObject({
      total: 1,
      items: [{ reference: 'basket-7', why: expect.stringContaining('what became of the capture of order basket-7') }],
    })
    expect((await shop.till.payment('basket-7')).needsPerson).toContain('capture')
    expect(shop.gateway.calls('capture')).toHaveLength(0)
  })
})

const unmatched = (clientOrderId: string): PaymentDocument => ({
  ...emptyDocument(clientOrderId),
  orders: [{ clientOrderId, orderId: '1', login: 'merchant', callbackAt: 5, attempts: [], stages: [] }],
})

const sold = { stage: 'sale', status: 'approved', outcome: 'approved', askedAt: 5, corrections: [] } as const
const asked = {
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example',
  fingerprint: 'f',
  reservedAt: 1,
  sendBy: 2,
  end: { kind: 'accepted', at: 3 },
} as const
/** It was asked for: what nobody asked for is disputed. */
const order = (clientOrderId: string, told?: number): KnownOrder => ({
  clientOrderId,
  orderId: clientOrderId,
  login: 'merchant',
  attempts: [{ ...asked, attemptId: clientOrderId, reservation: clientOrderId, clientOrderId }],
  stages: [{ ...sold, ...(told === undefined ? {} : { told }) }],
})

/** A payment that cannot be told. */
const failing = (reference: string, ...others: readonly KnownOrder[]): PaymentDocument =>
  withFacts({
    v: 1,
    reference,
    orders: [order(reference), ...others],
    telling: { token: '', order: 0, stage: 0, words: 1, until: 9e15, failed: { since: 7, tries: 1, error: 'no' } },
  })

async function keep(store: DocumentStore, document: PaymentDocument, prefix = 'payment') {
  const key = `${prefix}/test/till/${document.reference}`
  const entry = prefix === 'payment' ? entryOf(document) : entryOf(document, document)
  await store.write(key, entry, { id: `w-${document.reference}` })
}

describe('a long list', () => {
  it('has pages of a hundred, and each entry on one of them', async () => {
    const { store, shop } = await openedShop()
    for (let nth = 0; nth < 230; nth += 1) await keep(store, unmatched(`basket-${nth}`), 'unmatched')
    const seen: string[] = []
    let after: string | undefined
    for (const size of [100, 100, 30]) {
      const { unmatched: page, failing: other } = await shop.till.report({ after: { unmatched: after } })
      expect([page.total, page.items.length, other.total]).toEqual([230, size, 0])
      seen.push(...page.items.map(({ clientOrderId }) => clientOrderId))
      after = page.next
    }
    expect(after).toBeUndefined()
    expect(new Set(seen).size).toBe(230)
  })

  it('has a payment once that moves to another list while they are read', async () => {
    const store = memoryStore()
    await keep(store, failing('basket-1'))
    const { items } = await store.list({ limit: 1 })
    const moving: DocumentStore = { ...store, list: async () => ({ items, total: 1, next: undefined }) }
    const page = await createListReader(moving).page(['unknown', 'unknown+failing'], undefined)
    expect(page.items.map(({ reference }) => reference)).toEqual(['basket-1'])
  })

  it('goes on over all that is on a more important list as well', async () => {
    const { store, shop } = await openedShop()
    for (let nth = 0; nth < 50; nth += 1) await keep(store, failing(`plain-${nth}`))
    for (let nth = 0; nth < 60; nth += 1) await keep(store, failing(`both-${nth}`, order(`both-${nth}.2r`, 1)))
    const first = await shop.till.report()
    expect([first.failing.total, first.surplus.total]).toEqual([110, 60])
    const second = await shop.till.report({ after: { failing: first.failing.next } })
    expect(first.failing.items[0]?.reference).toMatch(/^both-/)
    const seen = [...first.failing.items, ...second.failing.items].map(({ reference }) => reference)
    expect([new Set(seen).size, seen.length, second.failing.next]).toEqual([110, 110, undefined])
  })

  it('refuses what is no next of such a page', async () => {
    const { shop } = await openedShop()
    for (const after of ['x', 'unknown~', '~']) {
      await expect(shop.till.report({ after: { failing: after } })).rejects.toThrow('"after"')
    }
    await expect(shop.till.report({ after: { needsPerson: 'too-long~x' } })).rejects.toThrow('"after"')
  })
})

describe('what another release has written', () => {
  it('is on the list that it was written on, until it is written again', async () => {
    const { store, shop } = await openedShop()
    const told = withFacts({ v: 1, reference: 'basket-1', orders: [order('basket-1', 1)] })
    await store.write('payment/test/till/basket-1', { ...entryOf(told), due: null, list: 'unknown' }, { id: 'old' })
    expect((await shop.till.report()).unknown).toEqual({ total: 1, items: [], next: undefined })
  })

  it('is named where it cannot be read, and counted', async () => {
    const { store, shop } = await openedShop()
    await keep(store, failing('basket-1'))
    await store.write(
      'payment/test/till/basket-2',
      { body: '{"v":99,"reference":"basket-2","orders":[]}', due: null, list: 'failing' },
      { id: 'new' },
    )
    const { failing: page, unreadable } = await shop.till.report()
    expect([page.total, page.items.length, unreadable]).toEqual([2, 1, ['payment/test/till/basket-2']])
  })
})

/** Decisions about much money take two persons; and what they say is kept, with who and why. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill, type DecisionRequest } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { ada, bob, passes } from './acts.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type ShopOptions } from './shop.js'

const quiet = 180_000

const failed: DecisionRequest = { kind: 'failed', ...ada }

/** A shop with a card payment over 10.00 EUR that was not answered. */
async function unknownShop(options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  shop.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
  await shop.till.pay(byCard)
  await passes(shop, quiet)
  return shop
}

describe('secondPersonAbove', () => {
  it('lets one person decide up to its amount', async () => {
    const shop = await unknownShop({ secondPersonAbove: { EUR: '10.00' } })
    expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
  })

  it.each([
    ['above its amount', { EUR: '9.99' }],
    ['in a currency without one', { USD: '1000.00' }],
  ])('asks for a second person %s; the same one twice changes nothing', async (_, secondPersonAbove) => {
    const shop = await unknownShop({ secondPersonAbove })
    const proposed = { kind: 'needs-second-person', first: { ...ada, at: expect.any(Number) } }
    expect(await shop.till.decide('basket-7', failed)).toMatchObject(proposed)
    for (const who of ['ada', ' Ada ', 'ADA', 'a\u200bda'])
      expect(await shop.till.decide('basket-7', { kind: 'failed', who, why: 'again' })).toMatchObject(proposed)
    expect(await shop.till.questions('basket-7')).toMatchObject([{ proposed: [{ who: 'ada', proposal: 'open' }] }])
    expect((await shop.till.pay(byCard)).kind).toBe('wait')
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...bob })).toMatchObject({
      kind: 'done',
      decision: { ...bob, first: ada },
    })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    expect(shop.books()).toEqual(['basket-7.2r sale approved'])
  })

  it('starts anew where somebody says otherwise', async () => {
    const shop = await openShop({ replaceOpenForm: true, secondPersonAbove: {} })
    const first = await shop.till.pay(basket)
    const second = await shop.till.pay({ ...basket, amount: '12.00' })
    await shop.customerPays(second.address)
    await shop.customerPays(first.address)
    await shop.gateway.callbacks.idle()
    const give = (order: string, person: typeof ada) =>
      shop.till.decide('basket-7', { kind: 'give-back', order, ...person })
    expect((await give('basket-7.2r', ada)).kind).toBe('needs-second-person')
    // About the other order, both proposals stand; the first that two persons make is done.
    expect((await give('basket-7', bob)).kind).toBe('needs-second-person')
    expect(shop.books().filter(line => line.includes('reversal'))).toEqual([])
    expect((await give('basket-7', ada)).kind).toBe('done')
    expect(await give('basket-7.2r', bob)).toMatchObject({ kind: 'refused' })
    await passes(shop, quiet)
    expect(shop.books().filter(line => line.includes('reversal'))).toEqual([
      'basket-7 sale approved, reversal approved',
    ])
  })

  it('goes by what is so when the second person speaks', async () => {
    const shop = await openShop({ secondPersonAbove: {} })
    shop.gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale', delay: 3_600_000 })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    await shop.till.decide('basket-7', failed)
    shop.gateway.faults.arm('callback-never')
    await shop.gateway.clock.advance(3_600_000)
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...bob })).toMatchObject({ kind: 'refused' })
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it.each([[{ EUR: 10 }], [{ eur: '10.00' }], [{ EUR: '-1' }], ['EUR']])('is refused as %j', async limits => {
    const gateway = createFakeGateway()
    const store = memoryStore() as Store<never>
    const make = () =>
      createTill({
        account: readyAccount(gateway),
        store,
        address: 'http://127.0.0.1:1/payments',
        returnTo: () => '/',
        onOutcome: () => {},
        secondPersonAbove: limits as never,
      })
    expect(make).toThrow('"secondPersonAbove" must have an amount as text for each currency')
  })
})

describe('what a person hands over', () => {
  it.each([
    ['a who of a megabyte', { ...failed, who: 'a'.repeat(1_000_000) }, '"who" has 1000000 characters'],
    ['no why', { kind: 'failed', who: 'ada' }, '"why" is no text'],
    ['no kind', { ...ada }, '"kind" must be one of'],
    ['a kind of the prototype', { ...ada, kind: 'constructor' }, '"kind" must be one of'],
    ['a field of another kind', { ...failed, outcome: 'approved' }, '"outcome" is no field of a decision'],
    [
      'an order id that is a word for nothing',
      { ...ada, kind: 'arrived', orderId: 'undefined' },
      '"orderId" is "undefined"',
    ],
    ['no order id', { ...ada, kind: 'arrived' }, '"orderId" is missing'],
    ['an outcome of its own', { ...ada, kind: 'settled', outcome: 'fine' }, '"outcome" must be one of'],
    ['an amount that is none', { ...ada, kind: 'settled', outcome: 'approved', amount: '1e9' }, '"amount" must be'],
    ['nothing', undefined, '"who" is no text'],
  ])('is refused: %s', async (_, decision, message) => {
    const shop = await openShop()
    await expect(shop.till.decide('basket-7', decision as never)).rejects.toThrow(message)
  })

  it('is refused for a payment that is not there', async () => {
    const shop = await openShop()
    expect(await shop.till.decide('basket-7', failed)).toMatchObject({
      kind: 'refused',
      because: 'nothing-to-decide',
      payment: { state: 'new' },
    })
  })

  it('is refused inside a handler', async () => {
    let refused: unknown
    const shop = await openShop({
      onOutcome: async () => {
        refused = await shop.till.decide('basket-7', failed).catch(error => error.code)
      },
    })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    expect(refused).toBe('ERR_INSIDE_HANDLER')
  })
})

describe('a decision', () => {
  it('is in the timeline, with who and why, without card numbers', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await unknownShop({ gateway, store: store as Store<never>, secondPersonAbove: {} })
    await shop.till.decide('basket-7', {
      kind: 'failed',
      who: 'ada',
      why: 'card 4444 4444 4444 4448 was never charged',
    })
    await shop.till.decide('basket-7', { kind: 'failed', ...bob })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    gateway.act({ action: 'correct', status: 'declined', orderId: gateway.orders.find('basket-7.2r')?.orderId ?? '' })
    await passes(shop, quiet)
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...bob })
    const { timeline, state } = await shop.till.payment('basket-7')
    expect(state).toBe('declined')
    const decided = timeline.filter(({ kind }) => kind === 'decided').map(({ text }) => text)
    expect(decided).toEqual([
      'bob decided that the sale of order basket-7 did nothing. The reason given: "ticket 4712". ada had said the same before: "card 444444******4448 was never charged".',
      'bob decided that the sale of order basket-7.2r was declined; the gateway had said "approved", then "declined". The reason given: "ticket 4712". ada had said the same before: "ticket 4711".',
    ])
    const { items } = await store.list({ limit: 10 })
    const stored = items.find(({ key }) => key.startsWith('payment/'))
    if (stored === undefined) throw new Error('There is no payment.')
    expect(stored.body).not.toMatch(/4444 ?4444/)
  })
})

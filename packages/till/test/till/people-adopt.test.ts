import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import { adoptsWhatWasMadeBefore, byHand, web } from './adoption.js'
import { dyingStore } from './dying-store.js'
import { engines } from './engines.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop } from './shop.js'

const quiet = 180_000

adoptsWhatWasMadeBefore(engines.memory)

describe('an adopted order', () => {
  it('that has not ended is waited for: its customer is sent nowhere', async () => {
    const shop = await openShop({ gateway: createFakeGateway({ processingTime: 60_000 }) })
    await byHand(shop, 'web-117')
    expect(await shop.till.adopt(web)).toMatchObject({ kind: 'adopted', payment: { state: 'open' } })
    expect((await shop.till.pay(basket)).kind).toBe('wait')
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect((await shop.till.pay(basket)).kind).toBe('over')
    expect(shop.books()).toEqual(['web-117 sale approved'])
  })

  it('is found by its callbacks, and is unmatched no longer', async () => {
    const shop = await openShop()
    const orderId = await byHand(shop, 'web-117', { callbacks: true })
    await passes(shop)
    expect((await shop.till.report()).unmatched.total).toBe(1)
    await shop.till.adopt(web)
    expect((await shop.till.report()).unmatched.total).toBe(0)
    shop.gateway.act({ action: 'charge-back', orderId })
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })

  it('that was declined is followed by the next one, and is surplus where it is corrected', async () => {
    const shop = await openShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'sale' })
    const orderId = await byHand(shop, 'web-117')
    await passes(shop)
    await shop.till.adopt(web)
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    expect(shop.books()).toEqual(['web-117 sale declined', 'basket-7.2r sale approved'])
    shop.gateway.act({ action: 'correct', status: 'approved', orderId })
    await passes(shop, 3_600_000)
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00', 'basket-7 surplus 10.00'])
    // It is given back by its own id.
    await shop.till.decide('basket-7', { kind: 'give-back', order: 'web-117', who: 'ada', why: 'ticket' })
    await passes(shop)
    expect(shop.told.at(-1)).toBe('basket-7 returned 10.00')
    expect(shop.books()).toEqual(['web-117 sale approved, reversal approved', 'basket-7.2r sale approved'])
  })

  it('is a surplus of a payment that is paid', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await byHand(shop, 'web-117')
    await passes(shop)
    await shop.till.adopt(web)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
    await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
    const { timeline } = await shop.till.payment('basket-7')
    const texts = timeline.map(({ text }) => text)
    expect(texts).toContain('The gateway knows order web-117 of account merchant, and no request in the store made it.')
    expect(texts).toContain(
      'Somebody else asked the gateway for a sale over 10.00 EUR. The till took up what status says of it.',
    )
    // Its own id says that it is the one that goes back.
    await shop.till.return('web-117')
    await passes(shop)
    expect(shop.books()).toEqual(['basket-7 sale approved', 'web-117 sale approved, reversal approved'])
  })

  it('cannot become another payment: its id is no new reference', async () => {
    const shop = await openShop()
    await byHand(shop, 'web-117')
    await passes(shop)
    await shop.till.adopt(web)
    await expect(shop.till.pay({ ...basket, reference: 'web-117' })).rejects.toMatchObject({
      code: 'ERR_OTHER_PAYMENT',
    })
    expect(await shop.till.adopt({ reference: 'web-117' })).toMatchObject({ because: 'belongs-elsewhere' })
    expect(shop.books()).toHaveLength(1)
  })
})

describe('an order that is not adopted', () => {
  it('is one that the gateway does not know, or of which status does not answer', async () => {
    const shop = await openShop()
    expect(await shop.till.adopt(web)).toMatchObject({ kind: 'refused', because: 'unknown-at-gateway' })
    await byHand(shop, 'web-117')
    expect(await shop.till.adopt({ ...web, orderId: '999999' })).toMatchObject({ because: 'unknown-at-gateway' })
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
    expect(await shop.till.adopt(web)).toMatchObject({
      kind: 'refused',
      because: 'no-answer',
      payment: { state: 'new' },
    })
    shop.gateway.faults.clear()
    // Nothing of it is left in the way.
    expect(await shop.till.adopt({ ...web, reference: 'basket-9' })).toMatchObject({ kind: 'adopted' })
  })

  it('is one of another payment, of another currency, or of a payment that is not there', async () => {
    const shop = await openShop()
    await shop.till.pay({ ...basket, reference: 'basket-8' })
    expect(await shop.till.adopt({ reference: 'basket-7', clientOrderId: 'basket-8' })).toMatchObject({
      because: 'belongs-elsewhere',
    })
    await shop.till.pay({ ...basket, hold: true })
    await byHand(shop, 'web-117')
    expect(await shop.till.adopt(web)).toMatchObject({ because: 'other-payment' })
    expect(await shop.till.adopt({ ...web, reference: 'basket-10' })).toMatchObject({ kind: 'adopted' })
  })

  it('is one after another that the gateway has, or far after all that the payment has', async () => {
    const shop = await openShop()
    const [second, third] = ['basket-7.2r', 'basket-7.3r']
    await byHand(shop, second)
    await byHand(shop, third)
    const after = { reference: 'basket-7', clientOrderId: third }
    expect(await shop.till.adopt(after)).toMatchObject({
      because: 'skipped',
      explanation: `The gateway has ${second} as well, which comes before it: adopt that first.`,
    })
    await byHand(shop, 'basket-7.99r')
    expect(await shop.till.adopt({ ...after, clientOrderId: 'basket-7.99r' })).toMatchObject({ because: 'skipped' })
    // The gateway has never seen "basket-7".
    expect(await shop.till.adopt({ ...after, clientOrderId: second })).toMatchObject({ kind: 'adopted' })
    expect(await shop.till.adopt(after)).toMatchObject({ kind: 'adopted' })
  })

  it('is adopted under one of two references, though both are named at once', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const [one, other] = [await openShop({ gateway, store }), await openShop({ gateway, store })]
    await byHand(one, 'web-117')
    await passes(one)
    const results = await Promise.all([
      one.till.adopt(web),
      other.till.adopt({ ...web, reference: 'basket-8' }),
      other.till.adopt({ ...web, reference: 'web-117' }),
    ])
    expect(results.filter(({ kind }) => kind === 'adopted')).toHaveLength(1)
    await passes(one)
    await passes(other)
    expect([...one.told, ...other.told]).toEqual([expect.stringMatching(/ paid 10.00$/)])
  })

  it.each([
    ['an order id that is a word for nothing', { ...web, orderId: 'undefined' }, '"orderId" is "undefined"'],
    ['an id that is a number', { ...web, clientOrderId: 117 }, '"clientOrderId" must be text'],
    [
      'an id of a megabyte',
      { ...web, clientOrderId: 'w'.repeat(1_000_000) },
      '"clientOrderId" must be text of at most',
    ],
    ['no reference', { clientOrderId: 'web-117' }, '"reference" must be text'],
    ['a reference that is a later order', { reference: 'basket-7.2r' }, '"reference" is the id of a later order'],
    ['a later order of another payment', { ...web, clientOrderId: 'basket-8.2r' }, 'adopt it there'],
    ['an id that cannot be kept', { ...web, clientOrderId: 'order 7/8' }, 'cannot be kept'],
    ['an id that differs in case', { reference: 'basket-7', clientOrderId: 'Basket-7' }, 'in case only'],
    ['a login that is not there', { ...web, account: 'nobody' }, 'No account has the login'],
  ])('is refused with %s', async (_, request, message) => {
    const shop = await openShop()
    await expect(shop.till.adopt(request as never)).rejects.toThrow(message)
    expect(shop.gateway.calls('status')).toEqual([])
  })
})

describe('a process that dies while it adopts', () => {
  const deaths = Array.from({ length: 8 }, (_, at) => at).flatMap(at => [
    { at, when: 'before' } as const,
    { at, when: 'after' } as const,
  ])

  it.each(deaths)('$when call $at of its store: the same again goes on, and it is told once', async death => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const dying = dyingStore(store, death)
    const shop = await openShop({ gateway, store: store as Store<never> })
    await byHand(shop, 'web-117')
    await passes(shop)
    const doomed = createTill({
      account: readyAccount(gateway),
      store: dying.store as DocumentStore as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: () => new Promise<never>(() => {}),
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    await Promise.race([dying.died, doomed.adopt(web).catch(() => {})])
    await gateway.clock.advance(quiet)
    expect(await shop.till.adopt(web)).toMatchObject({ kind: 'adopted', payment: { state: 'paid' } })
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect((await shop.till.pay(basket)).kind).toBe('over')
    expect(shop.books()).toEqual(['web-117 sale approved'])
  })
})

/** 3DS in several processes on one store: one dies, or two are asked at once. Uploads are counted in the gateway's books. */

import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { deathsAt } from './deaths.js'
import { dyingStore } from './dying-store.js'
import { heldStore } from './held-store.js'
import { challenge, leadsTo, method, noticeOf, openSecureShop, progressIn, slowGateway, title } from './secure-shop.js'
import { until } from './until.js'

const toPage = '303 the page of the payment'

describe('a process that dies while it uploads a result', () => {
  // The run of the visit reads; progress is read; the request is read and written, its end is written; the note is read and written.
  const calls = 7

  it.each(deathsAt(0, calls))('$when call $at of its store: the next one uploads it at most once', async death => {
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    await shop.get()
    const dying = dyingStore(shop.store, death)
    const first = shop.another({ store: dying.store as Store<never> }, true)
    void shop.post('', { cres: 'e30' }, first)
    await dying.died
    const sent = shop.uploads().length
    // It is not seen what became of a request that the dead process had written down, and had not sent.
    const mayBeLost = death.at === 3 && death.when === 'after'
    // The browser brings it again, to a process that lives.
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect(sent).toBeLessThanOrEqual(1)
    expect(shop.uploads()).toHaveLength(mayBeLost ? 0 : 1)
    // Status lags: nobody is sent to the bank again, and nothing is uploaded again.
    expect(title(await shop.get())).toBe('Checking your payment')
    await shop.post('', { cres: 'W10' })
    expect(shop.uploads()).toHaveLength(mayBeLost ? 0 : 1)
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('calls its store that often', async () => {
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    await shop.get()
    const living = dyingStore(shop.store, { at: 100, when: 'before' })
    const first = shop.another({ store: living.store as Store<never> })
    await shop.post('', { cres: 'e30' }, first)
    expect(living.calls()).toBe(calls)
  })
})

describe('two processes on one store', () => {
  it('upload a result once that two browsers bring at once', async () => {
    const shop = await openSecureShop()
    const other = shop.another()
    shop.statusSays(challenge)
    await shop.get()
    const answers = await Promise.all([shop.post('', { cres: 'e30' }), shop.post('', { cres: 'e30' }, other)])
    expect(answers.map(leadsTo)).toEqual([`303 ${shop.address}`, `303 ${shop.address}`])
    expect(shop.uploads()).toHaveLength(1)
    expect(await progressIn(shop)).toMatchObject([{ done: ['challenge trans-1'] }])
    shop.statusSays({ status: 'approved' })
    await Promise.all([shop.get(), shop.get('', other), shop.get(), shop.get('', other)])
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('upload a result once, and send nobody to the bank again', async () => {
    const shop = await openSecureShop()
    const other = shop.another()
    shop.statusSays(challenge)
    await shop.get()
    await shop.post('', { cres: 'e30' }, other)
    await shop.post('', { cres: 'e30' })
    expect(title(await shop.get())).toBe('Checking your payment')
    expect(shop.uploads()).toHaveLength(1)
  })

  it('keep what both have learnt at the same time', async () => {
    const shop = await openSecureShop()
    const other = shop.another()
    shop.statusSays(method)
    await shop.get()
    shop.statusSays(challenge)
    await Promise.all([shop.post('/notify', noticeOf('trans-1')), shop.post('', { cres: 'e30' }, other)])
    const facts = await progressIn(shop)
    expect(JSON.stringify(facts)).toContain('challenge trans-1')
    expect(JSON.stringify(facts)).toContain('notifiedAt')
  })

  it.each([
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
  ])('count the ten seconds of a 3DS method by the clock of the store: %s', async (_case, ahead) => {
    const shop = await openSecureShop()
    const { clock } = shop.gateway.clientOptions
    const other = shop.another({ clock: () => clock() + ahead })
    shop.statusSays(method)
    await shop.get()
    await shop.later(9_999)
    expect(title(await shop.post('/method', {}, other))).toBe('Preparing your payment')
    expect(shop.uploads()).toEqual([])
    await shop.later(1)
    await shop.get('', other)
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N' }])
    await shop.get()
    expect(shop.uploads()).toHaveLength(1)
  })

  it('write down both a step and a callback that comes while it is written', async () => {
    const gateway = slowGateway()
    const base = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await openSecureShop({ gateway, store: base as Store<never> })
    const held = heldStore(base)
    const slow = shop.another({ store: held.store as Store<never> })
    shop.statusSays(challenge)
    await shop.get()
    // Its request, and the end of its request, are written before the note.
    const note = held.stop('write', 2)
    const posting = shop.post('', { cres: 'e30' }, slow)
    await note.reached
    shop.statusSays({ status: 'approved' })
    const { controlKey } = gateway.clientOptions
    const ids = { orderId: shop.orderId, clientOrderId: 'basket-7' }
    const genuine = signedCallback({ controlKey, status: 'approved', ...ids })
    const answer = await shop.till.fetch(new Request(genuine.url(`${shop.origin}/payments/callback`)))
    expect([answer?.status, shop.told]).toEqual([200, ['basket-7 paid 10.00']])
    note.goOn()
    expect(leadsTo(await posting)).toBe(`303 ${shop.address}`)
    expect(await progressIn(shop)).toMatchObject([{ done: ['challenge trans-1'] }])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'paid' })
    await shop.get()
    expect([shop.told, shop.uploads().length]).toEqual([['basket-7 paid 10.00'], 1])
  })
})

it('two windows in two processes that bring two results of one challenge at once: the customer is charged once', async () => {
  const shop = await openSecureShop()
  const other = shop.another()
  shop.statusSays(challenge)
  await shop.get()
  let arrived = 0
  shop.gateway.handle({
    async uploadCresResult() {
      arrived += 1
      await until(() => arrived > 1)
      return shop.taken()
    },
  })
  await Promise.all([shop.post('', { cres: 'e30' }), shop.post('', { cres: 'W10' }, other)])
  shop.statusSays({ status: 'approved' })
  await Promise.all([shop.get(), shop.get('', other)])
  expect([shop.told, shop.books().length, shop.gateway.calls('sale').length]).toEqual([['basket-7 paid 10.00'], 1, 1])
})

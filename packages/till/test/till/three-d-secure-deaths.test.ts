/** 3DS in several processes on one store: one dies, two are asked at once, and the store fails. Uploads are counted in the gateway's books. */
import { memoryStore, type Store, StoreError } from '@tillkit/protocol'
import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { deathsAt } from './deaths.js'
import { dyingStore } from './dying-store.js'
import { heldStore } from './held-store.js'
import { challenge, leadsTo, method, noticeOf, openSecureShop, progressIn, slowGateway, title } from './secure-shop.js'
import { until } from './until.js'
import { watchWarnings } from './watch-warnings.js'

const toPage = '303 the page of the payment'

/** A store whose writes a test may refuse, by what they would keep. Each one that it refuses takes longer than a customer waits for it. */
function refusingStore() {
  const gateway = slowGateway()
  const base = memoryStore({ clock: gateway.clientOptions.clock })
  const refuses = { write: (_body: string): boolean => false }
  const write: Store['write'] = async (key, entry, options) => {
    if (!refuses.write(entry.body)) return base.write(key, entry, options)
    await gateway.clock.advance(6_000)
    throw new StoreError('ERR_STORE_REFUSED', 'There is no room for it.')
  }
  return { gateway, base, refuses, store: { ...base, write } as Store<never> }
}

const hasProgress = (body: string): boolean => body.includes('"kind":"three-d-secure"')

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

describe('a store that fails', () => {
  it('at the note of an upload: the customer goes on, the merchant is warned, and nothing is uploaded again', async () => {
    const warned = watchWarnings()
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    refuses.write = hasProgress
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect(warned('WARN_STORE_FAILED', /There is no room for it/)).not.toEqual([])
    // Nobody knows that the step is done: the bank is shown again, and what it gives is sent no second time.
    expect(title(await shop.get())).toBe('On to your bank')
    refuses.write = () => false
    await shop.post('', { cres: 'e30' })
    expect(title(await shop.get())).toBe('Checking your payment')
    expect(shop.uploads()).toHaveLength(1)
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('at whatever follows an upload: the customer goes on, and nothing is uploaded again', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    gateway.handle({
      uploadCresResult() {
        refuses.write = () => true
        return shop.taken()
      },
    })
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    refuses.write = () => false
    await shop.post('', { cres: 'e30' })
    expect(shop.uploads()).toHaveLength(1)
    expect(title(await shop.get())).toBe('Checking your payment')
  })

  it('before an upload: nothing is sent, and the result is sent once the store is back', async () => {
    const warned = watchWarnings()
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    refuses.write = () => true
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect([shop.uploads().length, warned('WARN_3D_SECURE_STUCK').length]).toEqual([0, 1])
    refuses.write = () => false
    expect(title(await shop.get())).toBe('On to your bank')
    await shop.post('', { cres: 'e30' })
    expect(shop.uploads()).toHaveLength(1)
  })

  it('at the beginning of a 3DS method: its page is shown all the same', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(method)
    refuses.write = hasProgress
    expect(title(await shop.get())).toBe('Preparing your payment')
    refuses.write = () => false
    await shop.get()
    await shop.later(10_000)
    await shop.get()
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('at the gateway’s page: it is shown all the same', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays({ redirectTo: 'https://gate.example/3ds' })
    refuses.write = hasProgress
    expect((await shop.get()).text).toContain('content="0;url=https://gate.example/3ds"')
    refuses.write = () => false
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

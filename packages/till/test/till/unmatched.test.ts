/** Verified callbacks of orders that nobody here sent: kept once, answered 200, and offered to the merchant. */
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway, signedCallback } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill, type UnmatchedCallback, type UnmatchedContext } from '../../src/index.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop, type Shop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const minute = 60_000

async function openedShop(options: ShopOptions<never> = {}) {
  const gateway = createFakeGateway()
  const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
  const warned = watchWarnings()
  return { store, warned, shop: await openShop({ gateway, ...options, store: store as Store<never> }) }
}

/** A callback of an order that was made at the gateway. */
async function calls(
  shop: Shop,
  more: { readonly status?: string; readonly controlKey?: string; readonly nth?: number } = {},
) {
  const { status = 'approved', controlKey = shop.gateway.clientOptions.controlKey ?? '', nth = 0 } = more
  const callback = signedCallback({ status, orderId: `9${nth}`, clientOrderId: `phone-${nth}`, controlKey })
  return (await fetch(callback.url(`${shop.origin}/payments/callback`))).status
}

/** A merchant's function that keeps what it is offered. */
function listener(failures = 0) {
  const heard: string[] = []
  const keys: string[] = []
  let left = failures
  return {
    heard,
    keys,
    onUnmatched: async (
      { login, clientOrderId, orderId, status }: UnmatchedCallback,
      { idempotencyKey, tries }: UnmatchedContext,
    ) => {
      keys.push(idempotencyKey)
      left -= 1
      if (left >= 0) throw new Error(`no (${tries})`)
      heard.push(`${login} ${clientOrderId} ${orderId} ${status} ${tries}`)
    },
  }
}

async function passes(shop: Shop, milliseconds: number) {
  await shop.gateway.clock.advance(milliseconds)
  await shop.till.tick()
}

const count = async (store: DocumentStore) => (await store.list({ limit: 1 })).total

describe('a verified callback of an order that nobody here sent', () => {
  it('is answered 200, offered once, and stands in the report', async () => {
    const { heard, onUnmatched } = listener()
    const { shop, warned } = await openedShop({ onUnmatched })
    expect(await calls(shop)).toBe(200)
    await passes(shop, minute)
    expect(heard).toEqual(['merchant phone-0 90 approved 0'])
    expect((await shop.till.report()).unmatched).toMatchObject({
      total: 1,
      items: [{ clientOrderId: 'phone-0', orderId: '90', login: 'merchant', statuses: ['approved'] }],
    })
    expect([shop.told, warned('WARN_CALLBACK_UNMATCHED')]).toEqual([[], []])
  })

  it('is kept and offered once however often it is sent, and once more where it says something new', async () => {
    const { heard, keys, onUnmatched } = listener()
    const { shop, store } = await openedShop({ onUnmatched })
    // Those that come together are settled together.
    const words = ['approved', 'approved', 'reversed', 'approved', 'reversed']
    const answers = await Promise.all(words.map(status => calls(shop, { status })))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await calls(shop)).toBe(200)
    for (let round = 0; round < 3; round += 1) await passes(shop, 10 * minute)
    expect(heard).toEqual(['merchant phone-0 90 approved 0', 'merchant phone-0 90 reversed 0'])
    expect(new Set(keys).size).toBe(2)
    expect(await count(store)).toBe(1)
  })

  it('is offered again where it was not taken, under the same key, and not for ever', async () => {
    const { heard, keys, onUnmatched } = listener(3)
    const { shop, warned } = await openedShop({ onUnmatched })
    expect(await calls(shop)).toBe(200)
    for (let round = 0; round < 4; round += 1) await passes(shop, 10 * minute)
    expect([heard, keys.length, new Set(keys).size]).toEqual([['merchant phone-0 90 approved 3'], 4, 1])
    expect(warned('WARN_UNMATCHED_FAILED')[0]).toContain('It is offered again later.')

    const never = listener(1_000)
    const other = (await openedShop({ onUnmatched: never.onUnmatched })).shop
    expect(await calls(other)).toBe(200)
    for (let round = 0; round < 20; round += 1) await passes(other, 7 * 60 * minute)
    expect(never.keys).toHaveLength(10)
    expect((await other.till.report()).unmatched.total).toBe(1)
  })

  it('is offered by another process where the one that took it dies', async () => {
    const first = listener()
    let letGo = () => {}
    const dead = new Promise<void>(resolve => {
      letGo = resolve
    })
    const { shop, store } = await openedShop({ onUnmatched: () => dead })
    // Closing waits for it.
    onTestFinished(letGo)
    expect(await calls(shop)).toBe(200)
    const other = createTill({
      account: readyAccount(shop.gateway),
      store: store as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: () => {},
      onUnmatched: first.onUnmatched,
      clock: shop.gateway.clientOptions.clock,
      wait: quickWait,
    })
    await other.tick()
    expect(first.heard).toEqual([])
    await shop.gateway.clock.advance(2 * minute)
    await other.tick()
    expect(first.heard).toEqual(['merchant phone-0 90 approved 0'])
    await other.close()
  })

  it('is kept, listed and warned of where nobody is to be offered it', async () => {
    const { shop, warned } = await openedShop()
    expect(await calls(shop)).toBe(200)
    expect((await shop.till.report()).unmatched.total).toBe(1)
    expect(warned('WARN_CALLBACK_UNMATCHED')).toHaveLength(1)
  })

  it('has the login of the account whose key verified it', async () => {
    const { heard, onUnmatched } = listener()
    const gateway = createFakeGateway()
    const account = gateway.clientOptions
    await gateway.listen()
    const { shop } = await openedShop({
      gateway,
      accounts: [account, { ...gateway.clientOptions, login: 'second', controlKey: 'another key of theirs' }],
      onUnmatched,
    })
    expect(await calls(shop, { controlKey: 'another key of theirs' })).toBe(200)
    expect(await calls(shop, { nth: 1 })).toBe(200)
    await passes(shop, minute)
    expect(heard.toSorted()).toEqual(['merchant phone-1 91 approved 0', 'second phone-0 90 approved 0'])
    expect((await shop.till.report()).unmatched.items.map(({ login }) => login).sort()).toEqual(['merchant', 'second'])
  })

  it('holds no payment of this till up, and takes no turn from it', async () => {
    const { shop } = await openedShop({ onUnmatched: () => Promise.reject(new Error('no')) })
    for (let nth = 0; nth < 15; nth += 1) await calls(shop, { nth })
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })
})

describe('a forged callback', () => {
  it('is refused and leaves nothing in the store, however many come', async () => {
    const { heard, onUnmatched } = listener()
    const { shop, store } = await openedShop({ onUnmatched })
    const answers = new Set<number>()
    for (let nth = 0; nth < 60; nth += 1) answers.add(await calls(shop, { nth, controlKey: 'guessed' }))
    await passes(shop, minute)
    expect([[...answers], heard, await count(store)]).toEqual([[403], [], 0])
  })
})

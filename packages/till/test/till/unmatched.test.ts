/** Verified callbacks of orders that nobody here sent: kept once, answered 200, and offered to the merchant. */
import { createHash } from 'node:crypto'
import { createFakeGateway, signedCallback } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill, type UnmatchedCallback, type UnmatchedContext } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, type Store, StoreError } from '../../src/store/store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const minute = 60_000

async function openedShop(options: ShopOptions<never> = {}) {
  const gateway = createFakeGateway()
  const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
  const warned = watchWarnings()
  return { store, warned, shop: await openShop({ gateway, store: store as Store<never>, ...options }) }
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
    const words = ['approved', 'approved', 'declined', 'approved', 'declined']
    const answers = await Promise.all(words.map(status => calls(shop, { status })))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await calls(shop)).toBe(200)
    for (let round = 0; round < 3; round += 1) await passes(shop, 10 * minute)
    expect(heard).toEqual(['merchant phone-0 90 approved 0', 'merchant phone-0 90 declined 0'])
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
    await gateway.listen()
    const { shop } = await openedShop({
      gateway,
      accounts: [
        gateway.clientOptions,
        { ...gateway.clientOptions, login: 'second', controlKey: 'another key of theirs' },
      ],
      onUnmatched,
    })
    expect(await calls(shop, { controlKey: 'another key of theirs' })).toBe(200)
    expect(await calls(shop, { nth: 1 })).toBe(200)
    await passes(shop, minute)
    expect(heard.toSorted()).toEqual(['merchant phone-1 91 approved 0', 'second phone-0 90 approved 0'])
    expect((await shop.till.report()).unmatched.items.map(({ login }) => login).sort()).toEqual(['merchant', 'second'])
  })

  it.each([1, 2])('may have an id that no payment can be kept under, in a till of %d accounts', async count => {
    const { heard, onUnmatched } = listener()
    const gateway = createFakeGateway()
    await gateway.listen()
    const second = { ...gateway.clientOptions, login: 'second', controlKey: 'another key of theirs' }
    // As it stands in a key, the name has 240 bytes, and the id 384: a key has 512 at most.
    const name = 'é'.repeat(40)
    const accounts = count === 1 ? [gateway.clientOptions] : [gateway.clientOptions, second]
    const { shop } = await openedShop({ gateway, name, accounts, onUnmatched } as ShopOptions<never>)
    const clientOrderId = '漢'.repeat(128)
    const answerTo = async (controlKey = '') => {
      const callback = signedCallback({ status: 'approved', orderId: '91', clientOrderId, controlKey })
      return (await fetch(callback.url(`${shop.origin}/payments/callback`))).status
    }
    expect([await answerTo(gateway.clientOptions.controlKey), await answerTo('guessed')]).toEqual([200, 403])
    await passes(shop, minute)
    expect(heard).toEqual([`merchant ${clientOrderId} 91 approved 0`])
  })

  it.each(['read', 'write'] as const)('comes again where the store fails to %s, and is kept then', async call => {
    watchWarnings()
    const { heard, onUnmatched } = listener()
    const gateway = createFakeGateway()
    const inner = memoryStore({ clock: gateway.clientOptions.clock })
    const failing = { isOn: true }
    const through = async (...given: never[]) => {
      const [key] = given
      if (failing.isOn && String(key).startsWith('unmatched/')) throw new StoreError('ERR_STORE_REFUSED', 'No room.')
      return Reflect.apply(inner[call], inner, given)
    }
    const shop = await openShop({ gateway, store: { ...inner, [call]: through } as Store<never>, onUnmatched })
    expect((await calls(shop)) >= 500).toBe(true)
    await passes(shop, minute)
    failing.isOn = false
    expect([heard.length, await calls(shop)]).toEqual([0, 200])
    await passes(shop, minute)
    expect(heard).toEqual(['merchant phone-0 90 approved 0'])
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

// Section 5.1: items are joined with no separator. Section 8 of the public callback pages: status, orderid, merchant_order, control key.
describe('a signed text that is divided anew', () => {
  interface Items {
    readonly status: string
    readonly orderid: string
    readonly merchant_order: string
  }
  const answerTo = async ({ origin, gateway }: Shop, items: Items, text = Object.values(items).join('')) => {
    const control = createHash('sha1').update(`${text}${gateway.clientOptions.controlKey}`).digest('hex')
    return (await fetch(`${origin}/payments/callback?${new URLSearchParams({ ...items, control })}`)).status
  }
  /** Every way to divide a text into three. */
  const divisions = (text: string): readonly Items[] => {
    const ends = Array.from({ length: text.length - 1 }, (_, index) => index + 1)
    return ends.flatMap(first =>
      ends
        .filter(second => second > first)
        .map(second => ({
          status: text.slice(0, first),
          orderid: text.slice(first, second),
          merchant_order: text.slice(second),
        })),
    )
  }

  it('is not kept where it is the callback of an order that we have, and is answered so that a genuine one comes again', async () => {
    const { heard, onUnmatched } = listener()
    const { shop, store } = await openedShop({ onUnmatched })
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    const before = await count(store)
    const [{ orderId = '' } = {}] = shop.gateway.orders.list()
    const answers = new Set<number>()
    for (const items of divisions(`approved${orderId}basket-7`)) {
      if (items.merchant_order !== 'basket-7' || items.orderid !== orderId) answers.add(await answerTo(shop, items))
    }
    await passes(shop, minute)
    expect([[...answers], heard, (await count(store)) - before]).toEqual([[503], [], 0])
    expect((await shop.till.report()).unmatched.total).toBe(0)
  })

  it('is not kept where the gateway’s id of our order is not known yet', async () => {
    watchWarnings()
    const { shop, store } = await openedShop({ onUnmatched: () => {} })
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    shop.gateway.faults.arm({ fault: 'callback-never', times: 99 })
    await shop.till.pay(byCard)
    const before = await count(store)
    const [{ orderId = '' } = {}] = shop.gateway.orders.list()
    const divided = { status: 'approved', orderid: `${orderId}b`, merchant_order: 'asket-7' }
    expect([await answerTo(shop, divided), (await count(store)) - before]).toEqual([503, 0])
    expect(await answerTo(shop, { status: 'approved', orderid: orderId, merchant_order: 'basket-7' })).toBe(200)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('is kept only with a word and ids of the profile, where nobody has the order: once for each place of one border', async () => {
    const { shop, store } = await openedShop({ onUnmatched: () => {} })
    const kept: Items[] = []
    for (const items of divisions('approved1234567phone-0')) {
      if ((await answerTo(shop, items)) === 200) kept.push(items)
    }
    // From "1" to all but the last character, of which the profile takes 20 at most.
    expect(kept.map(({ orderid }) => orderid)).toEqual(
      Array.from({ length: 13 }, (_, index) => '1234567phone-0'.slice(0, index + 1)),
    )
    expect(new Set(kept.map(({ status }) => status))).toEqual(new Set(['approved']))
    expect(await count(store)).toBe(13)
    expect(await answerTo(shop, { status: 'approved', orderid: '1'.repeat(21), merchant_order: 'phone-1' })).toBe(503)
  })

  it('takes no more room than ten thousand orders', async () => {
    let more = 0
    const inner = memoryStore()
    const list: DocumentStore['list'] = async options => {
      const page = await inner.list(options)
      return { ...page, total: page.total + more }
    }
    const { shop } = await openedShop({ store: { ...inner, list } as Store<never> })
    const items = { status: 'approved', orderid: '91', merchant_order: 'phone-1' }
    expect(await answerTo(shop, items)).toBe(200)
    more = 9_999
    expect(await answerTo(shop, { ...items, merchant_order: 'phone-2' })).toBe(503)
    // A callback about an order that is kept already goes on.
    expect(await answerTo(shop, { ...items, status: 'declined' })).toBe(200)
  })
})

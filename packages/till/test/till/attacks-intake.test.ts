/** Callbacks that come at the wrong moment, again, or from somebody who has seen one: none is lost, and none takes anything from another one. */
import { createHash } from 'node:crypto'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill, type Till, type TillOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, type Store, StoreError } from '../../src/store/store.js'
import { minute, passes } from './acts.js'
import { dyingStore } from './dying-store.js'
import { orderOf } from './outsider.js'
import { placeOf } from './place.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard, lineOf, openShop, type Shop, type ShopOptions } from './shop.js'
import { twoAccounts, twoMerchants } from './two-accounts.js'
import { watchWarnings } from './watch-warnings.js'

/** A shop whose card was charged, after its callback was answered. */
async function chargedShop(options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  await shop.till.pay(byCard)
  await shop.gateway.callbacks.idle()
  return shop
}

/** A callback of the basket, signed as the gateway signs: sha1(status + orderid + merchant_order + key). */
function signed({ gateway }: Pick<Shop, 'gateway'>, type: string, status = 'approved') {
  const { orderId = '' } = gateway.orders.find('basket-7') ?? {}
  const control = createHash('sha1')
    .update(`${status}${orderId}basket-7${gateway.clientOptions.controlKey}`)
    .digest('hex')
  return { status, orderid: orderId, merchant_order: 'basket-7', control, type }
}

const pathOf = (items: Readonly<Record<string, string>>) => `/payments/callback?${new URLSearchParams(items)}`

/** Somebody sends such a callback. */
const calls = async (shop: Shop, type: string, status?: string): Promise<number> =>
  (await fetch(shop.origin + pathOf(signed(shop, type, status)))).status

/** A till in this process answers it: several of one turn come at once, on any machine. */
const answers = async (till: Till, items: Readonly<Record<string, string>>) =>
  (await till.fetch(new Request(`https://shop.example${pathOf(items)}`)))?.status

/** The money is charged back, and the gateway does not call any more. */
async function chargedBack(shop: Shop) {
  shop.gateway.faults.arm({ fault: 'callback-never', times: 99 })
  shop.gateway.act({ orderId: orderOf(shop).orderId, action: 'charge-back' })
  for (let round = 0; round < 4; round += 1) await passes(shop, minute)
}

describe('a callback that status does not show yet, and that does not come again', () => {
  it('is asked about again though an earlier one is sent again meanwhile', async () => {
    const shop = await chargedShop()
    expect(await calls(shop, 'chargeback')).toBe(503)
    await shop.gateway.clock.advance(minute)
    expect(await calls(shop, 'sale')).toBe(200)
    await chargedBack(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })

  it('is asked about again though the handler failed meanwhile', async () => {
    watchWarnings()
    const handler = { fails: true }
    const shop = await chargedShop({
      onOutcome: () => {
        if (handler.fails) throw new Error('The database is down.')
      },
    })
    expect(await calls(shop, 'chargeback')).toBe(503)
    handler.fails = false
    for (let round = 0; round < 3; round += 1) await passes(shop, minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    await chargedBack(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })
})

/** A shop whose card is charged, and of which no callback ever comes by itself. */
async function silentShop(options: ShopOptions<never> = {}) {
  const gateway = createFakeGateway()
  const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
  gateway.faults.arm({ fault: 'callback-never', times: 99 })
  const shop = await openShop({ gateway, store: store as Store<never>, ...options })
  await shop.till.pay(byCard)
  return { ...shop, store }
}

/** A till of another process of that shop. */
function tillBeside({ gateway, origin }: Shop, options: Pick<TillOptions<never>, 'store' | 'onOutcome'>) {
  const { clock } = gateway.clientOptions
  const address = `${origin}/payments`
  return createTill<never>({
    account: readyAccount(gateway),
    address,
    returnTo: () => '/',
    clock,
    wait: quickWait,
    ...options,
  })
}

/** It does not wait for what takes longer than the gateway waits for an answer. */
const impatient: NonNullable<TillOptions['wait']> = (milliseconds, signal) =>
  quickWait(milliseconds === 4_500 ? 1_000 : milliseconds, signal)

describe('callbacks of one order that come together', () => {
  it('are answered by one run, each by its own word', async () => {
    watchWarnings()
    const shop = await silentShop()
    const words = ['approved', 'declined', 'approved', 'filtered', 'approved', 'error']
    const all = words.map((status, nth) => answers(shop.till, { ...signed(shop, 'sale', status), n: String(nth) }))
    expect(await Promise.all(all)).toEqual([200, 503, 200, 503, 200, 503])
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    // The latest stage, and the sale by its own number.
    expect(shop.gateway.calls('status').length).toBeLessThanOrEqual(2)
  })

  it('are each left open that status does not show', async () => {
    watchWarnings()
    const shop = await silentShop()
    const both = ['sale', 'chargeback'].map(type => answers(shop.till, signed(shop, type)))
    expect(await Promise.all(both)).toEqual([200, 503])
    await chargedBack(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })

  it('are no more than one outcome, though two processes take them', async () => {
    const shop = await silentShop()
    const other: string[] = []
    const second = tillBeside(shop, {
      store: shop.store as Store<never>,
      onOutcome: each => void other.push(lineOf(each)),
    })
    const of = signed(shop, 'sale')
    expect(await Promise.all([shop.till, second, shop.till, second].map(till => answers(till, of)))).toEqual([
      200, 200, 200, 200,
    ])
    expect([...shop.told, ...other]).toEqual(['basket-7 paid 10.00'])
    await second.close()
  })
})

describe('a callback whose handler does not end', () => {
  it('is not answered 200, and the handler is not begun twice', async () => {
    watchWarnings()
    const handler = { begun: 0, end: () => {} }
    const held = new Promise<void>(resolve => {
      handler.end = resolve
    })
    const shop = await silentShop({
      wait: impatient,
      onOutcome: async () => {
        handler.begun += 1
        await held
      },
    })
    const both = [answers(shop.till, signed(shop, 'sale')), answers(shop.till, { ...signed(shop, 'sale'), n: '1' })]
    expect(await Promise.all(both)).toEqual([503, 503])
    handler.end()
    for (let round = 0; round < 3; round += 1) await passes(shop, minute)
    expect(await answers(shop.till, signed(shop, 'sale'))).toBe(200)
    expect([handler.begun, shop.told]).toEqual([1, ['basket-7 paid 10.00']])
  })

  it('is told by the next process, where this one is closed meanwhile', async () => {
    watchWarnings()
    const shop = await silentShop({ wait: impatient, onOutcome: () => new Promise(() => {}) })
    const answer = answers(shop.till, signed(shop, 'sale'))
    const closing = shop.till.close()
    expect(await Promise.all([answer, answers(shop.till, signed(shop, 'sale'))])).toEqual([503, 503])
    await closing
    expect(await answers(shop.till, signed(shop, 'sale'))).toBe(503)
    const told: string[] = []
    const next = tillBeside(shop, {
      store: shop.store as Store<never>,
      onOutcome: each => void told.push(lineOf(each)),
    })
    for (let round = 0; round < 3; round += 1) {
      await shop.gateway.clock.advance(minute)
      await next.tick()
    }
    await next.close()
    expect(told).toEqual(['basket-7 paid 10.00'])
  })
})

it('a callback that is answered 503 since status does not show it is durable before, wherever the process dies', async () => {
  watchWarnings()
  let answered = 0
  for (const when of ['before', 'after'] as const) {
    for (let at = 0; at < 8; at += 1) {
      const shop = await silentShop()
      await passes(shop, minute)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      const dying = dyingStore(shop.store, { at, when })
      const doomed = tillBeside(shop, { store: dying.store as Store<never>, onOutcome: () => {} })
      const answer = await Promise.race([answers(doomed, signed(shop, 'chargeback')), dying.died])
      if (answer === undefined) continue
      answered += 1
      expect(answer).toBe(503)
      await chargedBack(shop)
      expect(shop.told.slice(1)).toEqual(['basket-7 chargeback 10.00'])
    }
  }
  expect(answered).toBeGreaterThan(0)
})

it('work in the background goes on with everything else where a call of the store fails, and documents cannot be read', async () => {
  watchWarnings()
  const gateway = createFakeGateway()
  const inner = memoryStore({ clock: gateway.clientOptions.clock })
  const failing = { at: Number.POSITIVE_INFINITY, calls: 0 }
  const through =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      failing.calls += 1
      if (failing.calls === failing.at) throw new StoreError('ERR_STORE_UNKNOWN', 'The store is down.')
      return call(...given)
    }
  const { read, write, take, postpone } = inner
  const isReadable = ({ key }: { readonly key: string }) => !key.includes('/damaged-')
  const list: DocumentStore['list'] = async options => {
    const page = await inner.list(options)
    return { ...page, items: page.items.filter(isReadable) }
  }
  const calling = { read: through(read), write: through(write), take: through(take), postpone: through(postpone) }
  const shop = await openShop({ gateway, store: { ...inner, ...calling, list } as Store<never> })
  gateway.faults.arm({ fault: 'callback-never', times: 999 })
  const references: string[] = []
  const { environment, name } = placeOf(shop.till)
  for (let at = 1; at <= 20; at += 1) {
    for (const reference of [`a-${at}`, `b-${at}`]) await shop.till.pay({ ...byCard, reference })
    references.push(`a-${at}`, `b-${at}`)
    for (const [kind, body] of Object.entries({ payment: '{"v":99}', unmatched: '[]', order: 'null' })) {
      const entry = { body, due: 1, list: null }
      await inner.write(`${kind}/${environment}/${name}/damaged-${at}`, entry, { after: undefined, id: 'damaged' })
    }
    await gateway.clock.advance(3 * minute)
    Object.assign(failing, { at, calls: 0 })
    await shop.till.tick().catch(() => undefined)
    failing.at = Number.POSITIVE_INFINITY
  }
  for (let round = 0; round < 3; round += 1) await passes(shop, 2 * minute)
  expect(shop.told.toSorted()).toEqual(references.map(each => `${each} paid 10.00`).toSorted())
})

describe('a question of the merchant’s own to status', () => {
  it.each(['read', 'write'] as const)(
    'is answered where the store fails to %s, and its answer is told once',
    async call => {
      watchWarnings()
      const failing = { isOn: false }
      const gateway = createFakeGateway()
      const inner = memoryStore({ clock: gateway.clientOptions.clock })
      const away = async () => {
        throw new StoreError('ERR_STORE_REFUSED', 'There is no room for it.')
      }
      const store = {
        ...inner,
        [call]: (...given: never[]) => (failing.isOn ? away() : Reflect.apply(inner[call], inner, given)),
      }
      gateway.faults.arm({ fault: 'callback-never', times: 99 })
      const wait: TillOptions['wait'] = (milliseconds, signal) => quickWait(milliseconds / 10, signal)
      const shop = await openShop({
        gateway,
        store: store as Store<never>,
        accounts: [{ ...readyAccount(gateway), wait }],
      })
      await shop.till.pay(byCard)
      failing.isOn = true
      expect(await shop.till.client.status({ clientOrderId: 'basket-7' })).toMatchObject({ status: 'approved' })
      failing.isOn = false
      for (let round = 0; round < 3; round += 1) await passes(shop, minute)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      expect(shop.books()).toEqual(['basket-7 sale approved'])
    },
  )
})

it('a form that contradicts itself, or is no form, tells nothing and shows no key', async () => {
  watchWarnings()
  const shop = await silentShop()
  const good = String(new URLSearchParams(signed(shop, 'sale')))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const requests: readonly (readonly [query: string, init: RequestInit])[] = [
    [`${good}&status=approved`, {}],
    [`${good}&status[]=declined`, {}],
    [`${good}&client_orderid=basket-8`, {}],
    ['status=declined', { method: 'POST', headers: form, body: good }],
    ['', { method: 'POST', headers: form, body: `${good}&x=${'a'.repeat(66_000)}` }],
    [
      '',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(signed(shop, 'sale')) },
    ],
    [good.replace('basket-7', 'basket-7%00'), {}],
    [good.replace('basket-7', '%ff'), {}],
    [good.replace('basket-7', '__proto__'), {}],
    [good.replace('approved', 'constructor'), {}],
    [good, { method: 'PUT' }],
  ]
  for (const [query, init] of requests) {
    const answer = await fetch(`${shop.origin}/payments/callback?${query}`, init)
    expect([query.slice(0, 30), answer.status, await answer.text()]).toEqual([query.slice(0, 30), 403, ''])
  }
  expect([shop.told, shop.gateway.calls('status').length]).toEqual([[], 0])
  expect(await answers(shop.till, { ...signed(shop, 'sale'), __proto__x: '1', constructor: 'x' })).toBe(200)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})

it('a callback with an odd id is of the account whose key signed it, where nobody here has sent the order', async () => {
  const gateway = twoMerchants()
  await gateway.listen()
  const heard: string[] = []
  const shop = await openShop({
    gateway,
    accounts: twoAccounts(gateway),
    onUnmatched: ({ login, clientOrderId }) => void heard.push(`${login} ${clientOrderId}`),
  })
  const ids = ['__proto__', 'a\u0001b', '😀'.repeat(64), 'İ'.repeat(128), '../basket-7', 'x.2r', ' basket-7', '%00']
  const kept = []
  for (const id of ids) {
    for (const [login, key] of [
      ['euro', 'K-EURO-0001'],
      ['dollar', 'K-DOLLAR-0001'],
      ['nobody', 'guessed'],
    ] as const) {
      const control = createHash('sha1').update(`approved91${id}${key}`).digest('hex')
      const answer = await answers(shop.till, { status: 'approved', orderid: '91', merchant_order: id, control })
      expect([id, login, answer]).toEqual([id, login, login === 'nobody' ? 403 : 200])
      if (login !== 'nobody') kept.push(`${login} ${id}`)
    }
  }
  await passes(shop, minute)
  expect(heard.toSorted()).toEqual(kept.toSorted())
  expect(gateway.calls()).toEqual([])
})

/** Attacks on asking for a payment: errors that name secrets, mistakes of the merchant's, stores, clocks and processes in the middle of it. */
import { inspect } from 'node:util'
import { assertNoSecrets, createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { PayRequest, TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { ada, minute } from './acts.js'
import { declinedShop, watched } from './paying.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, card, openShop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

describe('an error of the connection that names all secrets', () => {
  it.each([
    ['before the first byte', false],
    ['after it', true],
  ])('shows none of them, %s', async (_, hasBegun) => {
    const warned = watchWarnings()
    const gateway = createFakeGateway()
    const { controlKey } = gateway.clientOptions
    const secrets = [controlKey, card.creditCardNumber, card.cvv2]
    const cause = Object.assign(new Error(`no ${secrets.join(' ')}`), { code: 'EBROKEN' })
    const controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} }
    const dispatcher: NonNullable<TillAccount['dispatcher']> = {
      reportsStart: true,
      dispatch(_options, handler) {
        if (hasBegun) handler.onRequestStart?.(controller, {})
        queueMicrotask(() => handler.onResponseError?.(controller, cause))
        return true
      },
    }
    const shop = await openShop({ gateway, accounts: [{ ...readyAccount(gateway), dispatcher }] })
    const came = await shop.till.pay(byCard).catch((error: unknown) => error)
    if (hasBegun) expect(came).toMatchObject({ kind: 'wait', payment: { state: 'unknown' } })
    else expect(came).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    const shown = [inspect(came, { depth: 9 }), JSON.stringify(await shop.till.payment('basket-7'))]
    assertNoSecrets([...shown, ...warned('WARN_NOT_THE_GATEWAY')].join(' '), secrets.slice(0, 2))
  })
})

describe('a mistake of the merchant', () => {
  it.each<readonly [string, object]>([
    ['an amount with too many digits', { ...basket, amount: '10.0000' }],
    ['a currency that is none', { ...basket, currency: 'EURO' }],
    ['a field that is no text', { ...basket, email: 5 }],
    ['a field that is none', { ...basket, colour: 'red' }],
    ['a card number in the reference', { ...byCard, reference: card.creditCardNumber }],
  ])('writes nothing and sends nothing: %s', async (_, wrong) => {
    const shop = await openShop()
    const request = wrong as PayRequest
    await expect(shop.till.pay(request)).rejects.toMatchObject({
      moneyMayHaveMoved: false,
      code: 'ERR_INVALID_REQUEST',
    })
    expect([shop.gateway.calls().length, (await shop.till.payment(basket.reference)).state]).toEqual([0, 'new'])
    expect((await shop.till.pay(basket)).kind).toBe('go')
    expect(shop.books()).toEqual(['basket-7 sale processing'])
  })

  it.each(['returnTo', 'payAgain'] as const)('in %s is met before anything is sent', async option => {
    const shop = await openShop({ [option]: () => 'https://elsewhere.example/' })
    await expect(shop.till.pay(byCard)).rejects.toThrow(TypeError)
    expect([shop.gateway.calls().length, (await shop.till.payment('basket-7')).state]).toEqual([0, 'new'])
  })

  it('in returnTo that shows once it is paid hides no outcome, and charges nobody again', async () => {
    const shop = await openShop({
      returnTo({ state }) {
        if (state === 'paid') throw new Error('no page for what is paid')
        return '/orders/7'
      },
    })
    await shop.till.pay(byCard)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    for (let press = 0; press < 2; press += 1)
      await expect(shop.till.pay(byCard)).rejects.toThrow('no page for what is paid')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })
})

it('a form that is opened at a host which is none of the gateway’s is refused at each press, and no second one is asked for', async () => {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway, accounts: [{ ...readyAccount(gateway), redirectHosts: ['pay.example'] }] })
  for (let press = 0; press < 3; press += 1) {
    const error = await shop.till.pay(basket).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_REDIRECT_REFUSED' })
    // Anybody who has the address can pay.
    expect(inspect(error, { depth: 9 })).not.toContain('/form/')
  }
  expect(gateway.calls('saleForm')).toHaveLength(1)
})

describe('new money that is stopped while status is asked', () => {
  it('opens nothing, and tells what status said', async () => {
    const shop = await declinedShop(false)
    shop.gateway.handle({
      status: async () => {
        await shop.till.pause(ada)
        return undefined
      },
    })
    await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
    expect(shop.told).toEqual(['basket-7 declined 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale declined'])
  })
})

describe('a till that is closed while it asks status for a payment', () => {
  it('ends what was begun: the order is opened, and written down', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const shop = await declinedShop(false, { gateway, store })
    let closing: Promise<void> | undefined
    gateway.handle({
      status: () => {
        closing ??= shop.till.close()
        return undefined
      },
    })
    expect(await shop.till.pay(byCard)).toMatchObject({ kind: 'go', payment: { state: 'open' } })
    await closing
    const other = await openShop({ gateway, store })
    expect((await other.till.payment('basket-7')).orders).toMatchObject([
      { clientOrderId: 'basket-7', standing: 'failed' },
      { clientOrderId: 'basket-7.2r', standing: 'open', orderId: expect.any(String) },
    ])
  })
})

describe('a clock that is set an hour forward once the request is written down', () => {
  it('sends nothing then, and the next press opens the same order', async () => {
    const gateway = createFakeGateway()
    const { store } = watched(gateway)
    const base = readyAccount(gateway)
    let ahead = 0
    const clock = () => base.clock() + ahead
    const { write } = store
    const late: Store<never> = {
      ...store,
      async write(...given) {
        const written = await write(...given)
        ahead = 60 * minute
        return written
      },
    }
    const shop = await openShop({ gateway, store: late, clock, accounts: [{ ...base, clock, wait: quickWait }] })
    await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(gateway.calls('sale')).toHaveLength(0)
    expect((await shop.till.pay(byCard)).kind).toBe('go')
    expect(gateway.calls('sale').length).toBe(1)
    expect(shop.books().map(line => line.split(' ')[0])).toEqual(['basket-7'])
  })
})

describe('a store', () => {
  it('that fails once before anything is sent is read again, and the process is warned', async () => {
    const warned = watchWarnings()
    const gateway = createFakeGateway()
    const { store, before } = watched(gateway)
    const shop = await openShop({ gateway, store })
    before.read = async () => {
      before.read = async () => {}
      throw new StoreError('ERR_STORE_UNREADABLE', 'away for a moment')
    }
    expect((await shop.till.pay(basket)).kind).toBe('go')
    expect(warned('WARN_STORE_FAILED')).toHaveLength(1)
    expect(gateway.calls('saleForm')).toHaveLength(1)
  })

  it('is waited for by the pauses of the till, and not by those of the account', async () => {
    const gateway = createFakeGateway()
    const { store, before } = watched(gateway)
    before.read = before.write = () => new Promise(resolve => void setImmediate(resolve))
    // The pauses between two tries of a request take no time.
    const shop = await openShop({ gateway, store, accounts: [{ ...readyAccount(gateway), wait: async () => {} }] })
    expect((await shop.till.pay(basket)).kind).toBe('go')
  })
})

it('a press that waits for a request which is refused then opens the next order, as a later press does', async () => {
  const shop = await openShop()
  let refused = 0
  shop.gateway.handle({
    saleForm() {
      refused += 1
      return refused > 1 ? undefined : { httpStatus: 400, type: 'validation-error', errorMessage: 'no', errorCode: '1' }
    },
  })
  const [first, second] = await Promise.allSettled([shop.till.pay(basket), shop.till.pay(basket)])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'ERR_REQUEST_REFUSED' } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { kind: 'go' } })
  expect(shop.books()).toEqual(['basket-7.2r sale processing'])
})

describe('several accounts', () => {
  const open = async (...logins: readonly string[]) => {
    const gateway = createFakeGateway({
      merchants: ['first', 'second'].map((login, nth) => ({
        login,
        controlKey: `K-${login}-0001`,
        endpoints: [{ id: String(41 + nth), currency: 'EUR' }],
      })),
    })
    await gateway.listen()
    const store = memoryStore({ clock: gateway.clientOptionsFor({ login: 'first' }).clock }) as Store<never>
    const of = (names: readonly string[]) =>
      openShop({ gateway, store, name: 'shop', accounts: names.map(login => gateway.clientOptionsFor({ login })) })
    return { gateway, shop: await of(logins), of }
  }
  const books = ({ orders }: FakeGateway) =>
    orders.list().map(({ login, clientOrderId, stages }) => `${login} ${clientOrderId} ${stages[0]?.status}`)

  it('a payment that was begun with the second stays there after a decline, though the first takes its currency', async () => {
    const { gateway, shop } = await open('first', 'second')
    await shop.customerPays((await shop.till.pay({ ...basket, account: 'second' })).address, '101')
    expect((await shop.till.pay(basket)).kind).toBe('go')
    expect(books(gateway)).toEqual(['second basket-7 declined', 'second basket-7.2r processing'])
  })

  it('a payment of one that was removed is refused, and nothing is sent by another', async () => {
    const { gateway, shop, of } = await open('first', 'second')
    await shop.till.pay({ ...basket, account: 'second' })
    const later = await of(['first'])
    await expect(later.till.pay(basket)).rejects.toMatchObject({
      code: 'ERR_OTHER_PAYMENT',
      message: expect.stringContaining('another account (second)'),
    })
    expect(books(gateway)).toEqual(['second basket-7 processing'])
  })

  it('are each asked once about an id that was made up, where a store was restored', async () => {
    const { gateway, shop } = await open('first', 'second')
    await shop.till.start({ restored: true })
    expect((await shop.till.pay(basket)).kind).toBe('go')
    const asked = gateway.calls('status').map(({ fields }) => new Map(fields).get('client_orderid') ?? '')
    expect(asked.filter(id => id.startsWith('never-'))).toHaveLength(2)
    // Ten orders may be there, and each of two accounts may have them.
    expect(asked.filter(id => id.startsWith('basket-7'))).toHaveLength(20)
    expect(books(gateway)).toEqual(['first basket-7 processing'])
  })
})

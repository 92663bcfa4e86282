/** Asking for a payment while the store fails, a person says stop, and other processes work on the same payment. */
import type { Attempt } from '@tillkit/protocol'
import { createFakeGateway, testCard } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PayRequest, TillOptions } from '../../src/index.js'
import type { Payment } from '../../src/rules/pay/payment.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { ada } from './acts.js'
import { engines } from './engines.js'
import { another, declinedShop, watched } from './paying.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type Shop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

describe('a request that the gateway has accepted, whose outcome another process tells before its end is written', () => {
  /** The other process is told of the approval, and its handler does not end until `end` is called. */
  async function toldElsewhere(waits: number[] = []) {
    const gateway = createFakeGateway()
    const { store, before } = watched(gateway)
    const wait: NonNullable<TillOptions['wait']> = (milliseconds, signal) => {
      waits.push(milliseconds)
      return quickWait(milliseconds, signal)
    }
    const shop = await declinedShop(true, { gateway, store, wait })
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    onTestFinished(() => end())
    const begun = new Promise<void>(resolve => {
      const other = another(shop, store, () => {
        resolve()
        return ended
      })
      let writes = 0
      before.write = async () => {
        if (gateway.calls('sale').length === 0 || writes++ > 0) return
        await gateway.clock.advance(5_000)
        void other.ask('basket-7')
        await begun
      }
    })
    waits.length = 0
    return { shop, before, end, begun }
  }

  it('is never said not to have been sent, where the store fails from then on', async () => {
    const { shop, before, begun, end } = await toldElsewhere()
    void begun.then(() => {
      before.read = async () => {
        throw new StoreError('ERR_STORE_SCHEMA', 'tables of another release')
      }
    })
    const came = await shop.till.pay(byCard).catch((error: unknown) => error)
    before.read = async () => {}
    end()
    expect(shop.books()).toEqual(['basket-7 sale declined', 'basket-7.2r sale approved'])
    expect(came).not.toMatchObject({ moneyMayHaveMoved: false })
  })

  it('has its answer without waiting for that handler', async () => {
    const waits: number[] = []
    const { shop, end, begun } = await toldElsewhere(waits)
    await Promise.all([shop.till.pay(byCard), begun])
    end()
    // The pause between two looks at a lease of somebody else.
    expect(waits).not.toContain(250)
  })
})

it('new money that is stopped while the handler is told of a decline is not sent, on a store without transactions', async () => {
  const shop: Shop = await declinedShop(false, {
    async onOutcome() {
      await shop.till.pause(ada)
    },
  })
  await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_PAUSED' })
  expect(shop.books()).toEqual(['basket-7 sale declined'])
})

it('the observer hears of a refused request too that its end is not written down', async () => {
  const gateway = createFakeGateway()
  const { store, before } = watched(gateway)
  const unsettled: string[] = []
  const observer = { unsettled: ({ clientOrderId = '' }: Attempt) => void unsettled.push(clientOrderId) }
  const shop = await openShop({ gateway, store, accounts: [{ ...readyAccount(gateway), observer }] })
  gateway.handle({
    sale() {
      before.write = async () => {
        throw new StoreError('ERR_STORE_CLOSED', 'closed')
      }
      return { httpStatus: 400, type: 'validation-error', errorMessage: 'no', errorCode: '1' }
    },
  })
  await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
  before.write = async () => {}
  expect(unsettled).toEqual(['basket-7'])
})

it('a customer goes on to 3DS though the end of the sale is not written down: no address can be lost', async () => {
  const gateway = createFakeGateway()
  const { store, before } = watched(gateway)
  const shop = await openShop({ gateway, store })
  gateway.handle({
    sale() {
      before.write = async () => {
        throw new StoreError('ERR_STORE_CLOSED', 'closed')
      }
      return undefined
    },
  })
  const { address } = await shop.till.pay({ ...byCard, creditCardNumber: testCard, cvv2: '321' })
  before.write = async () => {}
  expect(new URL(address).pathname).toMatch(/^\/payments\/3ds\//)
})

describe('what status said before a request is not made', () => {
  it.each<readonly [string, PayRequest, Partial<TillOptions>]>([
    ['a field is wrong', { ...byCard, email: 5 } as unknown as PayRequest, {}],
    ['returnTo leads elsewhere', byCard, { returnTo: () => 'https://elsewhere.example/' }],
    ['payAgain leads elsewhere', byCard, { payAgain: () => 'https://elsewhere.example/' }],
  ])('is kept, and told: %s', async (_, request, options) => {
    const gateway = createFakeGateway()
    const { store } = watched(gateway)
    const shop = await declinedShop(false, { gateway, store })
    const told: string[] = []
    const other = another(shop, store, () => told.push('one'), options)
    await expect(other.pay(request)).rejects.toThrow()
    expect([(await other.payment('basket-7')).state, told]).toEqual(['declined', ['one']])
  })
})

it('returnTo and payAgain are given the whole payment, with its timeline, before the next order is opened', async () => {
  const seen: Payment[] = []
  const path = (payment: Payment) => {
    if (payment.state === 'declined') seen.push(payment)
    return '/orders/7'
  }
  const shop = await declinedShop(true, { returnTo: path, payAgain: path })
  seen.length = 0
  await shop.till.pay(byCard)
  expect(seen.map(({ timeline }) => timeline.at(-1)?.kind)).toEqual(['delivered', 'delivered'])
})

it.each([
  ['has the form', basket, 'go'],
  ['has paid', byCard, 'over'],
] as const)('a customer who %s goes on though the marks of the till cannot be read', async (_, request, kind) => {
  const gateway = createFakeGateway()
  const { store, before } = watched(gateway)
  const shop = await openShop({ gateway, store })
  await shop.till.pay(request)
  await gateway.callbacks.idle()
  before.read = async key => {
    if (!key.includes('basket-7')) throw new StoreError('ERR_STORE_DOCUMENT', 'of a later release')
  }
  expect((await shop.till.pay(request)).kind).toBe(kind)
})

it('a till that was closed says so, whatever its store', async () => {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway, store: engines.sqlite.open(gateway.clientOptions.clock) as Store<never> })
  await shop.till.close()
  await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
})

it('a form at another gateway, which does not know the order, is said by the error and by no warning besides', async () => {
  const warned = watchWarnings()
  const gateway = createFakeGateway()
  const { store } = watched(gateway)
  const shop = await openShop({ gateway, store })
  await shop.till.pay(basket)
  const elsewhere = createFakeGateway()
  onTestFinished(() => elsewhere.close())
  const account = { ...readyAccount(elsewhere), redirectHosts: ['pay.example'] }
  const other = another(shop, store, () => {}, { account })
  await expect(other.pay(basket)).rejects.toThrow('does not know')
  expect(warned('WARN_STATUS_MISSING')).toEqual([])
})

it('a form is not asked for with a redirectUrl of the merchant: it is refused, and not dropped in silence', async () => {
  const shop = await openShop()
  const request: object = { ...basket, redirectUrl: 'https://shop.example/thanks' }
  await expect(shop.till.pay(request as PayRequest)).rejects.toThrow(/redirectUrl/)
  expect(shop.gateway.calls('saleForm')).toHaveLength(0)
})

/** Customers who come back from a hosted form: where they are led, what their browser may bring, and how often status is asked. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { StatusResponse } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type HandlerReply, hangUp, signedCallback } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { orderOf, returnTokenOf } from './outsider.js'
import { quickWait } from './quick-wait.js'
import { basket, openShop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const toPage = expect.stringMatching(/^\/payments\/payment\/[^/?]+\?back=1$/)

/** A shop whose form is open, and where status says whatever the test wants. The clock stands still unless the test moves it. */
async function openForm(options: ShopOptions<never> = {}) {
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ clock })
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
  const shop = await openShop({ store, ...options, gateway })
  await shop.till.pay(basket)
  const path = `/payments/return/${returnTokenOf(shop)}`
  const { orderId } = orderOf(shop)
  const order = { clientOrderId: 'basket-7', orderId, transactionType: 'sale', amount: '10.00', currency: 'EUR' }
  const questions: object[] = []
  const says = { reply: {} as HandlerReply<StatusResponse>, hangsUp: false }
  gateway.handle({
    status(request) {
      questions.push(request)
      return says.hangsUp ? hangUp() : { type: 'status-response', status: 'processing', ...order, ...says.reply }
    },
  })
  const { controlKey } = gateway.clientOptions
  return {
    ...shop,
    store,
    path,
    questions,
    says,
    orderId,
    /** The parameters that a browser brings, signed as the gateway signs them. sha1(status + orderid + client_orderid + key). */
    signed(status: string, clientOrderId = 'basket-7') {
      const control = createHash('sha1').update(`${status}${orderId}${clientOrderId}${controlKey}`).digest('hex')
      return { status, orderid: orderId, client_orderid: clientOrderId, merchant_order: clientOrderId, control }
    },
    comesBack: (fields?: Readonly<Record<string, string>>, at = path) =>
      fetch(new URL(at, shop.origin), {
        redirect: 'manual',
        ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
      }),
  }
}

describe('a customer who comes back', () => {
  it('is sent to the page of the payment by an answer that nothing keeps', async () => {
    const shop = await openForm()
    shop.says.reply = { status: 'approved' }
    const { status, headers } = await shop.comesBack(shop.signed('approved'))
    expect([status, headers.get('location')]).toEqual([303, toPage])
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it.each([
    ['declined', 'approved', ['basket-7 declined 10.00']],
    ['approved', 'declined', ['basket-7 paid 10.00']],
  ])('is believed in nothing: status says %s, and the browser %s', async (status, brought, told) => {
    const warned = watchWarnings()
    const shop = await openForm()
    shop.says.reply = { status }
    await shop.comesBack(shop.signed(brought))
    expect(shop.told).toEqual(told)
    await shop.comesBack({ status: brought, orderid: shop.orderId, control: '0'.repeat(40) })
    expect([shop.told, warned('WARN_CUSTOMER_REFUSED').length]).toEqual([told, 1])
  })

  it('for another order than that of the address is reported, and status is asked about the one in the address', async () => {
    const warned = watchWarnings()
    const shop = await openForm()
    shop.says.reply = { status: 'declined' }
    await shop.comesBack(shop.signed('approved', 'basket-8'))
    expect(warned('WARN_CUSTOMER_REFUSED')).toEqual([expect.stringContaining('other-order')])
    expect(shop.questions).toMatchObject([{ clientOrderId: 'basket-7', orderId: shop.orderId }])
    expect(shop.told).toEqual(['basket-7 declined 10.00'])
  })

  it('with more than is read brings the outcome, and the connection ends', async () => {
    const warned = watchWarnings()
    const shop = await openForm()
    shop.says.reply = { status: 'approved' }
    const { status, headers } = await shop.comesBack({ comment: 'x'.repeat(70_000) })
    expect([status, headers.get('connection'), headers.get('location')]).toEqual([303, 'close', toPage])
    expect(warned('WARN_CUSTOMER_REFUSED')).toEqual([expect.stringContaining('too-large')])
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('goes on though something before the till has consumed the body', async () => {
    const warned = watchWarnings()
    const shop = await openForm({ before: (request: IncomingMessage) => void request.resume() })
    shop.says.reply = { status: 'approved' }
    const { status } = await shop.comesBack(shop.signed('approved'))
    expect([status, shop.told, warned('WARN_CUSTOMER_REFUSED')]).toEqual([303, ['basket-7 paid 10.00'], []])
  })

  it('with a forged address is refused, and nobody is asked', async () => {
    const warned = watchWarnings()
    const shop = await openForm()
    const [header, , signature] = shop.path.split('.')
    const answer = await shop.till.fetch(new Request(new URL(`${header}.e30.${signature}`, shop.origin)), {
      onError: () => undefined,
    })
    expect([answer?.status, await answer?.text(), shop.questions, shop.told]).toEqual([403, '', [], []])
    expect(warned('WARN_CUSTOMER_REFUSED')).toEqual([expect.stringContaining('forged-state')])
  })

  it('with an expired address brings the outcome after one question, and sees nothing of the payment', async () => {
    const shop = await openForm()
    await shop.gateway.clock.advance(2 * 86_400_000 + 1_000)
    const { headers } = await shop.comesBack()
    expect([shop.questions.length, headers.get('location')]).toEqual([1, toPage])
    const page = await shop.comesBack(undefined, headers.get('location') ?? '')
    expect([page.status, page.headers.get('location')]).toEqual([303, '/orders/basket-7'])
    shop.says.reply = { status: 'approved' }
    await shop.comesBack()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('for an order that the store does not have is asked about by nobody, and the merchant is warned', async () => {
    const warned = watchWarnings()
    const shop = await openForm()
    const empty = await openShop({ gateway: shop.gateway })
    const answer = await empty.till.fetch(new Request(new URL(shop.path, shop.origin)))
    expect([answer?.status, shop.questions]).toEqual([303, []])
    expect(warned('WARN_CUSTOMER_REFUSED')).toEqual([expect.stringContaining('unknown-order')])
    // A visit proves nothing, so it leaves nothing.
    expect(await empty.till.payment('basket-7')).toMatchObject({ state: 'new' })
  })

  it('is told of as something to look at where the amount was not expected, after one question', async () => {
    const shop = await openForm()
    shop.says.reply = { status: 'approved', amount: '1.00' }
    expect((await shop.comesBack()).status).toBe(303)
    expect([shop.told, shop.questions.length]).toEqual([['basket-7 disputed 1.00'], 1])
  })

  it('goes on where the gateway does not answer, and nothing is told', async () => {
    const shop = await openForm()
    shop.says.hangsUp = true
    expect((await shop.comesBack()).status).toBe(303)
    expect(shop.told).toEqual([])
    shop.says.hangsUp = false
    shop.says.reply = { status: 'approved' }
    await shop.comesBack()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('is told of once where a callback has brought the outcome first', async () => {
    const shop = await openForm()
    shop.says.reply = { status: 'approved' }
    const { controlKey } = shop.gateway.clientOptions
    const genuine = signedCallback({ controlKey, status: 'approved', ...orderOf(shop) })
    expect((await fetch(genuine.url(`${shop.origin}/payments/callback`))).status).toBe(200)
    expect((await shop.comesBack()).status).toBe(303)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('goes on where the handler fails, of which the merchant is warned; the next visit tells it again', async () => {
    const warned = watchWarnings()
    const onOutcome = vi.fn()
    onOutcome.mockRejectedValueOnce(new Error('the database is away'))
    const shop = await openForm({ onOutcome })
    shop.says.reply = { status: 'approved' }
    const [first, second] = [await shop.comesBack(), await shop.comesBack()]
    expect([first.status, second.status, onOutcome.mock.calls.length]).toEqual([303, 303, 2])
    expect(warned('WARN_HANDLER_FAILED', /the database is away/)).toHaveLength(1)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })
})

describe('visits of one order', () => {
  /** A shop that says for how long it waits between questions and rounds, in milliseconds. */
  async function openCounting() {
    const waits: number[] = []
    // The till has other waits, which bound something.
    const wait = (milliseconds: number, signal?: AbortSignal) => {
      if (milliseconds <= 1_000) waits.push(milliseconds)
      return quickWait(milliseconds, signal)
    }
    return { ...(await openForm({ wait })), waits }
  }

  it('leave the gateway a quarter of a second in between', async () => {
    const shop = await openCounting()
    shop.says.reply = { status: 'approved' }
    await shop.comesBack()
    shop.waits.length = 0
    await shop.comesBack()
    expect(shop.waits).toEqual([250])
  })

  it('ask after a quarter of a second first, and then after pauses twice as long, of a second at most', async () => {
    const shop = await openCounting()
    shop.waits.length = 0
    await shop.comesBack()
    expect([shop.waits, shop.questions.length]).toEqual([[250, 500, 1_000, 1_000], 5])
  })
})

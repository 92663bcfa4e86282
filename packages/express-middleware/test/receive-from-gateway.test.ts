import { createClient } from '@tillkit/client'
import { createFakeClock, createFakeGateway, testCard } from '@tillkit/testing'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import type { OnStatus, OrderStatus, ReportedResult } from '../src/core.js'
import { receiveCallbacks } from '../src/index.js'
import { type ExpressModule, newest, serve, versions } from './serve.js'

const price = { amount: '10.00', currency: 'EUR' }
const minute = 60_000
const twoWeeks = 14 * 24 * 60 * minute

interface Payment {
  readonly cvv2?: string
  readonly by?: 'sale' | 'preauth'
  readonly clientOrderId?: string
  /** Whether the merchant is called back of later stages as well. */
  readonly hearsAll?: boolean
}

/** A merchant behind helmet and a proxy's path prefix, and the gateway that calls it back. */
async function shop(express: ExpressModule, handle: OnStatus<unknown> = () => undefined) {
  const clock = createFakeClock({ base: () => 1_800_000_000_000 })
  const gateway = createFakeGateway({ clock })
  await gateway.listen()
  const client = createClient({ ...gateway.clientOptions, clock: clock.now, wait: clock.wait })
  const told: OrderStatus[] = []
  const reports: ReportedResult[] = []

  const site = express()
  site.use(helmet())
  site.all(
    '/payments/callback',
    receiveCallbacks({
      merchant: { controlKeys: gateway.clientOptions.controlKey, client },
      onStatus: async (status, request) => {
        told.push(status)
        await handle(status, request)
      },
      onReport: each => void reports.push(each),
      interval: 0,
      clock: clock.now,
    }),
  )
  // The proxy's prefix: what is mounted sees the rest of the path only.
  const app = express()
  app.use('/shop/de', site)
  const served = await serve(app)
  const pay = async ({ cvv2 = '123', by = 'sale', clientOrderId = 'o-1', hearsAll = false }: Payment = {}) => {
    const address = `${served.origin}/shop/de/payments/callback`
    const reply = await client[by]({
      clientOrderId,
      ...price,
      email: 'joan@customer.example',
      creditCardNumber: testCard,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2099',
      cvv2,
      serverCallbackUrl: address,
      ...(hearsAll ? { extra: { notify_url: address } } : {}),
    })
    await gateway.callbacks.idle()
    return reply.orderId ?? ''
  }
  return {
    gateway,
    client,
    clock,
    told,
    reports,
    pay,
    /** The arguments of each call of the merchant's function. */
    kinds: () => told.map(({ kind, amount }) => `${kind} ${amount}`),
    deliveries: () => gateway.callbacks.list().map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await client.close()
      await gateway.close()
    },
  }
}

describe.each(newest)('a merchant behind helmet and a path prefix, under %s', (_version, express) => {
  it('hears of a payment that the gateway calls back about', async () => {
    await using merchant = await shop(express)
    await merchant.pay()
    expect(merchant.told.map(({ kind, isOver }) => [kind, isOver(price)])).toEqual([['paid', true]])
    expect(merchant.deliveries()).toEqual([[1, 200]])
  })

  it('whose function fails twice and then works runs it three times, and the gateway stops after the third', async () => {
    let failures = 2
    await using merchant = await shop(express, () => {
      if (failures-- > 0) throw new Error('the database is away')
    })
    await merchant.pay()
    expect(merchant.deliveries()).toEqual([[1, 503]])
    await merchant.clock.advance(twoWeeks)
    expect(merchant.deliveries()).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ])
    expect(merchant.kinds()).toEqual(['paid 10.00', 'paid 10.00', 'paid 10.00'])
  })

  it('hears twice where the gateway calls back twice', async () => {
    await using merchant = await shop(express)
    merchant.gateway.faults.arm({ fault: 'callback-twice' })
    await merchant.pay()
    await merchant.clock.advance(minute)
    expect(new Set(merchant.kinds())).toEqual(new Set(['paid 10.00']))
    expect(merchant.deliveries().map(([, status]) => status)).toEqual([200, 200])
  })

  it('hears nothing of a decline until status confirms it', async () => {
    await using merchant = await shop(express)
    merchant.gateway.faults.arm({ fault: 'status-lags' })
    await merchant.pay({ cvv2: '101' })
    expect([merchant.reports.map(({ kind }) => kind), merchant.kinds()]).toEqual([['not-final'], []])
    await merchant.clock.advance(twoWeeks)
    expect(merchant.kinds()).toEqual(['declined 10.00'])
    expect(merchant.deliveries().at(-1)?.[1]).toBe(200)
  })
})

describe('a merchant that returns and is charged back', () => {
  const [, express] = versions[2]

  it('hears of each return and of the chargeback', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    for (const amount of ['3.00', '2.00']) {
      await merchant.client.return({ clientOrderId: 'o-1', orderId, amount, currency: 'EUR' })
      await merchant.gateway.callbacks.idle()
      await merchant.clock.advance(twoWeeks)
    }
    merchant.gateway.act({ action: 'charge-back', orderId, amount: '4.00' })
    await merchant.gateway.callbacks.idle()
    expect(merchant.kinds()).toEqual(['paid 10.00', 'returned 3.00', 'returned 2.00', 'chargeback 4.00'])
    expect(merchant.told.map(({ isOver }) => isOver(price))).toEqual([true, false, false, false])
  })

  it('hears of a hold, and of the capture that its function sends', async () => {
    let capture = async (_orderId: string) => {}
    await using merchant = await shop(express, async ({ kind, orderId }) => {
      if (kind === 'held') await capture(orderId)
    })
    capture = async orderId => {
      await merchant.client.capture({ clientOrderId: 'o-1', orderId })
    }
    await merchant.pay({ by: 'preauth', hearsAll: true })
    await merchant.clock.advance(twoWeeks)
    expect(new Set(merchant.kinds())).toEqual(new Set(['held 10.00', 'paid 10.00']))
    expect(merchant.gateway.calls('capture')).toHaveLength(1)
    expect(merchant.deliveries().at(-1)?.[1]).toBe(200)
  })

  it('hears of what the gateway’s support gave back', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    for (const amount of ['3.00', '2.00']) {
      await merchant.clock.advance(minute)
      merchant.gateway.act({ action: 'reverse', orderId, amount })
      await merchant.gateway.callbacks.idle()
      expect(merchant.reports.at(-1)).toMatchObject({ kind: 'delivered', status: 200 })
    }
    expect(merchant.kinds()).toEqual(['paid 10.00', 'returned 3.00', 'returned 2.00'])
  })

  it('hears of a correction as what status says now', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    await merchant.clock.advance(minute)
    merchant.gateway.act({ action: 'correct', orderId, status: 'declined' })
    await merchant.gateway.callbacks.idle()
    expect(merchant.kinds()).toEqual(['paid 10.00', 'declined 10.00'])
    expect(merchant.deliveries()).toEqual([
      [1, 200],
      [1, 200],
    ])
  })
})

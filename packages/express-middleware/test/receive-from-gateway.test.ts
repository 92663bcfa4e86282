import { createClient } from '@tillkit/client'
import { type Expectation, emptyOrder, type Order, reduceOrder } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, testCard } from '@tillkit/testing'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import { memoryInbox, type OnOutcome, type ReceivedOutcome, type ReportedResult } from '../src/core.js'
import { receiveCallbacks } from '../src/index.js'
import { type ExpressModule, serve, versions } from './serve.js'

const price = { amount: '10.00', currency: 'EUR' }
const minute = 60_000

/** A merchant behind helmet and a proxy's path prefix, and the gateway that calls it back. */
async function shop(express: ExpressModule, handle: OnOutcome = () => undefined) {
  const clock = createFakeClock({ base: () => 1_800_000_000_000 })
  const gateway = createFakeGateway({ clock })
  await gateway.listen()
  const client = createClient(gateway.clientOptions)
  const { login, controlKey } = gateway.clientOptions
  const told: ReceivedOutcome[] = []
  const reports: ReportedResult[] = []
  const state: { order: Order; expected: Expectation | readonly Expectation[] } = {
    order: emptyOrder({ clientOrderId: 'o-1' }),
    expected: { stages: ['sale'], ...price },
  }

  const site = express()
  site.use(helmet())
  site.all(
    '/payments/callback',
    receiveCallbacks({
      merchant: { login, controlKeys: controlKey, client },
      inbox: memoryInbox({ clock: clock.now }),
      order: ({ clientOrderId }) => (clientOrderId === 'o-1' ? state : undefined),
      onOutcome: async (outcome, context) => {
        told.push(outcome)
        await handle(outcome, context)
        state.order = reduceOrder(state.order, outcome.observation)
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
  const pay = async (extra: Readonly<Record<string, string>> = {}, cvv2 = '123') => {
    const reply = await client.sale({
      clientOrderId: 'o-1',
      ...price,
      email: 'joan@customer.example',
      creditCardNumber: testCard,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2099',
      cvv2,
      serverCallbackUrl: `${served.origin}/shop/de/payments/callback`,
      extra: Object.fromEntries(Object.entries(extra).map(([name, path]) => [name, `${served.origin}${path}`])),
    })
    await gateway.callbacks.idle()
    return reply.orderId ?? ''
  }
  return {
    gateway,
    client,
    clock,
    state,
    told,
    reports,
    pay,
    deliveries: () => gateway.callbacks.list().map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await client.close()
      await gateway.close()
    },
  }
}

const everyStage = { notify_url: '/shop/de/payments/callback' }

describe.each(versions)('a merchant behind helmet and a path prefix, under %s', (_version, express) => {
  it('is told of a payment that the gateway calls back about', async () => {
    await using merchant = await shop(express)
    await merchant.pay()
    expect(merchant.told.map(({ kind }) => kind)).toEqual(['paid'])
    expect(merchant.deliveries()).toEqual([[1, 200]])
  })

  it('whose handler fails twice and then works runs it three times, and the gateway stops after the third', async () => {
    let failures = 2
    await using merchant = await shop(express, () => {
      if (failures-- > 0) throw new Error('the database is away')
    })
    await merchant.pay()
    expect(merchant.deliveries()).toEqual([[1, 503]])
    await merchant.clock.advance(14 * 24 * 60 * minute)
    expect(merchant.deliveries()).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ])
    expect(merchant.told.map(({ kind }) => kind)).toEqual(['paid', 'paid', 'paid'])
  })

  it('is told once where the gateway calls back twice, and not at all of a decline that status does not confirm yet', async () => {
    await using merchant = await shop(express)
    merchant.gateway.faults.arm({ fault: 'callback-twice' })
    merchant.gateway.faults.arm({ fault: 'status-lags' })
    await merchant.pay({}, '101')
    expect(merchant.reports.map(({ kind }) => kind)).toEqual(['not-final', 'told'])
    await merchant.clock.advance(minute)
    expect(merchant.told.map(({ kind }) => kind)).toEqual(['declined'])
  })
})

describe('a merchant that returns and is charged back', () => {
  const [, express] = versions[2]

  it('is told of two equal partial returns and of the chargeback, once each', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay(everyStage)
    const awaited: Expectation[] = []
    for (const _ of ['first', 'second']) {
      const money = { amount: '3.00', currency: 'EUR' }
      const { serialNumber } = await merchant.client.return({ clientOrderId: 'o-1', orderId, ...money })
      awaited.push({ stages: ['cancel', 'reversal'], serialNumber, ...money })
      merchant.state.expected = [...awaited]
      await merchant.gateway.callbacks.idle()
    }
    // The callback came before the answer, so the serial number was not known yet: the gateway repeats it.
    await merchant.clock.advance(14 * 24 * 60 * minute)
    merchant.state.expected = []
    merchant.gateway.act({ action: 'charge-back', orderId, amount: '4.00' })
    await merchant.gateway.callbacks.idle()
    expect(merchant.told).toMatchObject([
      { kind: 'paid', stage: { stage: 'sale', amount: '10.00' } },
      { kind: 'returned', stage: { stage: 'reversal', amount: '3.00', serialNumber: awaited[0]?.serialNumber } },
      { kind: 'returned', stage: { stage: 'reversal', amount: '3.00', serialNumber: awaited[1]?.serialNumber } },
      { kind: 'returned', stage: { stage: 'chargeback', amount: '4.00' }, isExpected: false },
    ])
    expect(merchant.told).toHaveLength(4)
    expect(awaited.every(({ serialNumber }) => serialNumber !== undefined)).toBe(true)
  })

  it('is told of what the gateway’s support gave back, once each, and not sooner than it can be none of its own', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay(everyStage)
    for (const amount of ['3.00', '2.00']) {
      merchant.gateway.act({ action: 'reverse', orderId, amount })
      await merchant.gateway.callbacks.idle()
      expect(merchant.reports.at(-1)).toMatchObject({ kind: 'not-expected', status: 503 })
      await merchant.clock.advance(14 * 24 * 60 * minute)
      expect(merchant.reports.at(-1)).toMatchObject({ kind: 'told', status: 200 })
    }
    expect(merchant.told).toMatchObject([
      { kind: 'paid', isExpected: true },
      { kind: 'returned', isExpected: false, stage: { stage: 'reversal', amount: '3.00' } },
      { kind: 'returned', isExpected: false, stage: { stage: 'reversal', amount: '2.00' } },
    ])
    expect(merchant.told).toHaveLength(3)
    expect(merchant.state.order.stages.map(({ amount }) => amount)).toEqual(['10.00', '3.00', '2.00'])
  })

  it('is told of a correction, as something that a person must look at', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay(everyStage)
    merchant.gateway.act({ action: 'correct', orderId, status: 'declined' })
    await merchant.gateway.callbacks.idle()
    expect(merchant.told).toMatchObject([
      { kind: 'paid' },
      { kind: 'disputed', reason: 'corrected', stage: { corrections: [{ from: 'approved', to: 'declined' }] } },
    ])
    expect(merchant.deliveries()).toEqual([
      [1, 200],
      [1, 200],
    ])
  })
})

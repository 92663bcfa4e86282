import { createClient } from '@tillkit/client'
import { memoryStore, type ReceivedOutcome } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, testCard } from '@tillkit/testing'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import { type OnOutcome, type ReportedResult, tellOutcomes } from '../src/core.js'
import { receiveCallbacks } from '../src/index.js'
import { type ExpressModule, newest, serve, versions } from './serve.js'

const price = { amount: '10.00', currency: 'EUR' }
const minute = 60_000

interface Payment {
  readonly cvv2?: string
  readonly by?: 'sale' | 'preauth'
  readonly clientOrderId?: string
  /** Whether the merchant is called back of later stages as well. */
  readonly hearsAll?: boolean
}

/** A merchant behind helmet and a proxy's path prefix, and the gateway that calls it back. */
async function shop(express: ExpressModule, handle: OnOutcome = () => undefined) {
  const clock = createFakeClock({ base: () => 1_800_000_000_000 })
  const gateway = createFakeGateway({ clock })
  await gateway.listen()
  const store = memoryStore({ clock: clock.now })
  const client = createClient({ ...gateway.clientOptions, store, clock: clock.now, wait: clock.wait })
  const told: ReceivedOutcome[] = []
  const reports: ReportedResult[] = []
  const onOutcome: OnOutcome = async (outcome, context) => {
    told.push(outcome)
    await handle(outcome, context)
  }

  const site = express()
  site.use(helmet())
  site.all(
    '/payments/callback',
    receiveCallbacks({
      merchant: { controlKeys: gateway.clientOptions.controlKey, client },
      store,
      onOutcome,
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
    tell: () => tellOutcomes('o-1', { client, store, onOutcome }),
    deliveries: () => gateway.callbacks.list().map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await client.close()
      await gateway.close()
    },
  }
}

describe.each(newest)('a merchant behind helmet and a path prefix, under %s', (_version, express) => {
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
    await merchant.pay({ cvv2: '101' })
    expect(merchant.reports.map(({ kind }) => kind)).toEqual(['not-final', 'told'])
    await merchant.clock.advance(minute)
    expect(merchant.told.map(({ kind }) => kind)).toEqual(['declined'])
  })
})

describe('a customer who is declined and pays again', () => {
  it('is two orders of one payment, told one after the other', async () => {
    await using merchant = await shop(versions[2][1])
    await merchant.pay({ cvv2: '116' })
    await merchant.pay({ clientOrderId: 'o-1.2r' })
    expect(merchant.told.map(({ kind, reference, order }) => [kind, reference, order.clientOrderId])).toEqual([
      ['declined', 'o-1', 'o-1'],
      ['paid', 'o-1', 'o-1.2r'],
    ])
    expect(merchant.deliveries()).toEqual([
      [1, 200],
      [1, 200],
    ])
  })
})

describe('a merchant that returns and is charged back', () => {
  const [, express] = versions[2]

  it('is told of two equal partial returns and of the chargeback, once each', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    for (const attemptId of ['first', 'second']) {
      const part = { clientOrderId: 'o-1', orderId, amount: '3.00', currency: 'EUR' }
      await merchant.client.return(part, { attemptId })
      await merchant.gateway.callbacks.idle()
      // Where the callback came before the answer, the gateway repeats it.
      await merchant.clock.advance(14 * 24 * 60 * minute)
    }
    merchant.gateway.act({ action: 'charge-back', orderId, amount: '4.00' })
    await merchant.gateway.callbacks.idle()
    expect(merchant.told).toMatchObject([
      { kind: 'paid', stage: { stage: 'sale', amount: '10.00' } },
      { kind: 'returned', stage: { stage: 'reversal', amount: '3.00' }, isExpected: true },
      { kind: 'returned', stage: { stage: 'reversal', amount: '3.00' }, isExpected: true },
      { kind: 'chargeback', stage: { stage: 'chargeback', amount: '4.00' }, isExpected: false },
    ])
    expect(merchant.told).toHaveLength(4)
  })

  it('is told once of a return whose callback comes before its answer, and which a job waits for as well', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    merchant.gateway.faults.arm({ fault: 'callback-before-answer', operation: 'return' })
    const request = { clientOrderId: 'o-1', orderId, amount: '3.00', currency: 'EUR' }
    const { serialNumber = '' } = await merchant.client.return(request, { attemptId: 'parcel-2' })
    await merchant.gateway.callbacks.idle()
    await merchant.client.status({ clientOrderId: 'o-1', orderId, byRequestSn: serialNumber })
    await merchant.tell()
    expect(merchant.told.map(({ kind, stage: { amount } }) => [kind, amount])).toEqual([
      ['paid', '10.00'],
      ['returned', '3.00'],
    ])
  })

  it('is told of a hold, and of the capture that its handler sends, one after the other', async () => {
    let capture = async (_orderId = '') => {}
    await using merchant = await shop(express, async ({ kind, order: { orderId } }) => {
      if (kind === 'held') await capture(orderId)
    })
    capture = async (orderId = '') => {
      await merchant.client.capture({ clientOrderId: 'o-1', orderId })
    }
    await merchant.pay({ by: 'preauth', hearsAll: true })
    await merchant.clock.advance(14 * 24 * 60 * minute)
    expect(merchant.told.map(({ kind, stage: { amount } }) => [kind, amount])).toEqual([
      ['held', '10.00'],
      ['paid', '10.00'],
    ])
    expect(merchant.gateway.calls('capture')).toHaveLength(1)
    expect(merchant.deliveries().at(-1)?.[1]).toBe(200)
  })

  it('is told of what the gateway’s support gave back, once each', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    for (const amount of ['3.00', '2.00']) {
      await merchant.clock.advance(minute)
      merchant.gateway.act({ action: 'reverse', orderId, amount })
      await merchant.gateway.callbacks.idle()
      expect(merchant.reports.at(-1)).toMatchObject({ kind: 'told', status: 200 })
    }
    expect(merchant.told).toMatchObject([
      { kind: 'paid', isExpected: true },
      { kind: 'returned', isExpected: false, stage: { stage: 'reversal', amount: '3.00' } },
      { kind: 'returned', isExpected: false, stage: { stage: 'reversal', amount: '2.00' } },
    ])
    expect(merchant.told).toHaveLength(3)
    expect(merchant.told[2]?.order.stages.map(({ amount }) => amount)).toEqual(['10.00', '3.00', '2.00'])
  })

  it('is told of a correction, as something that a person must look at', async () => {
    await using merchant = await shop(express)
    const orderId = await merchant.pay({ hearsAll: true })
    await merchant.clock.advance(minute)
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFakeClock,
  createFakeGateway,
  type FakeGateway,
  type FakeGatewayOptions,
  payAsCustomer,
  threeDSecure1Card,
} from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, customer, pay } from './signed-request.js'

const day = 86_400_000
const start = 1_800_000_000_000

let merchant: Awaited<ReturnType<typeof startCallbackMerchant>>
const events: string[] = []
const gateways: FakeGateway[] = []
beforeEach(async () => {
  merchant = await startCallbackMerchant({ onTold: line => events.push(`callback ${line}`) })
})
afterEach(async () => {
  events.length = 0
  await Promise.all(gateways.splice(0).map(gateway => gateway.close()))
  await merchant.close()
})

async function open(transport: string, options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const gateway = createFakeGateway({ clock: createFakeClock({ base: () => start }), ...options })
  gateways.push(gateway)
  if (transport === 'http') await gateway.listen()
  return gateway
}

async function sale(gateway: FakeGateway, clientOrderId = 'o-1', fields: Record<string, string> = {}): Promise<string> {
  const { reply } = await pay(gateway, 'sale', { clientOrderId, notifyUrl: merchant.url, ...fields })
  events.push(`answer ${clientOrderId}`)
  return reply['paynet-order-id'] ?? ''
}

const status = async (gateway: FakeGateway) => (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply

describe.each(['dispatcher', 'http'])('a fault of a callback, through the %s', transport => {
  it('callback-before-answer delivers before the answer, even where an outcome takes its time', async () => {
    for (const processingTime of [0, 60_000]) {
      events.length = 0
      const gateway = await open(transport, { processingTime })
      gateway.faults.arm('callback-before-answer')
      await sale(gateway)
      expect(events).toEqual(['callback o-1 sale approved', 'answer o-1'])
      expect((await status(gateway)).status).toBe('approved')
      await gateway.callbacks.idle()
      await gateway.clock.advance(60_000)
      expect(merchant.told.splice(0)).toHaveLength(1)
    }
  })

  it('callback-late sends after the delay', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'callback-late', delay: 3 * day })
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(3 * day - 1)
    expect(merchant.told).toEqual([])
    await gateway.clock.advance(1)
    expect(merchant.told).toEqual(['o-1 sale approved'])
  })

  it('callback-twice sends the same callback two times', async () => {
    const gateway = await open(transport)
    gateway.faults.arm('callback-twice')
    await sale(gateway)
    await sale(gateway, 'o-2')
    await gateway.callbacks.idle()
    expect(merchant.told.sort()).toEqual(['o-1 sale approved', 'o-1 sale approved', 'o-2 sale approved'])
  })

  it('callback-reordered holds one back until the next has gone', async () => {
    const gateway = await open(transport)
    gateway.faults.arm('callback-reordered')
    const orderId = await sale(gateway)
    await gateway.callbacks.idle()
    expect(merchant.told).toEqual([])
    await call(gateway, 'return', { clientOrderId: 'o-1', orderId })
    await gateway.callbacks.idle()
    expect(merchant.told).toEqual(['o-1 reversal approved', 'o-1 sale approved'])
    await gateway.clock.advance(day)
    expect(merchant.told).toHaveLength(2)
  })

  it('callback-reordered lets go of a callback that no other follows', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'callback-reordered', delay: 5_000 })
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(5_000)
    expect(merchant.told).toEqual(['o-1 sale approved'])
  })

  it('callback-never sends none, then or later', async () => {
    const gateway = await open(transport)
    gateway.faults.arm('callback-never')
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(30 * day)
    expect(gateway.callbacks.list()).toEqual([])
    expect((await status(gateway)).status).toBe('approved')
  })

  it('callback-dead-host repeats thirty times within fourteen days, and the merchant hears nothing', async () => {
    const gateway = await open(transport)
    gateway.faults.arm('callback-dead-host')
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(30 * day)
    const deliveries = gateway.callbacks.list()
    expect(deliveries).toHaveLength(31)
    expect((deliveries.at(-1)?.at ?? 0) - start).toBeLessThanOrEqual(14 * day)
    expect(merchant.told).toEqual([])
    await gateway.callbacks.resend(deliveries[0]?.orderId ?? '')
    expect(merchant.told).toEqual(['o-1 sale approved'])
  })

  it('strikes the callbacks of one operation, n times', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'callback-never', operation: 'return', times: 2 })
    const orderId = await sale(gateway)
    for (const amount of ['1.00', '2.00', '3.00']) {
      await call(gateway, 'return', { clientOrderId: 'o-1', orderId, amount, currency: 'EUR' })
      await gateway.callbacks.idle()
    }
    expect(merchant.told).toEqual(['o-1 sale approved', 'o-1 reversal approved'])
  })
})

describe.each(['dispatcher', 'http'])('a fault of what becomes of an order, through the %s', transport => {
  it.each([
    ['corrected-later', ['o-1 sale approved', 'o-1 sale declined'], 'sale declined'],
    ['reversed-later', ['o-1 sale approved', 'o-1 reversal approved'], 'reversal approved'],
    ['charged-back-later', ['o-1 sale approved', 'o-1 chargeback approved'], 'chargeback approved'],
  ] as const)('%s changes it after the delay', async (fault, told, latest) => {
    const gateway = await open(transport, { processingTime: 1_000 })
    gateway.faults.arm({ fault, delay: 5_000 })
    await sale(gateway)
    await gateway.clock.advance(5_999)
    expect(await status(gateway)).toMatchObject({ 'transaction-type': 'sale', status: 'approved' })
    await gateway.clock.advance(1)
    const reply = await status(gateway)
    expect(`${reply['transaction-type']} ${reply.status}`).toBe(latest)
    expect(merchant.told).toEqual(told)
  })

  const opened = { amount: '10.00', currency: 'EUR', ...customer, redirectUrl: 'http://127.0.0.1:9/back' }

  // Section 3, rules 3 to 5: what may be given back was captured. The sums are those of the gateway's own books.
  it.each([
    ['corrected-later', ['sale 10.00 declined']],
    ['reversed-later', ['sale 10.00 approved', 'reversal 10.00 approved']],
    ['charged-back-later', ['sale 10.00 approved', 'chargeback 10.00 approved']],
  ] as const)('%s waits at the opening of a form, and strikes once its customer has paid', async (fault, books) => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault, delay: 5_000 })
    const { reply } = await call(gateway, 'saleForm', { clientOrderId: 'o-1', notifyUrl: merchant.url, ...opened })
    await gateway.clock.advance(60_000)
    expect(gateway.faults.armed()).toHaveLength(1)
    await payAsCustomer(reply['redirect-url'] ?? '', { gateway }).catch(() => undefined)
    expect(gateway.faults.armed()).toEqual([])
    await gateway.clock.advance(4_999)
    const stages = () =>
      gateway.orders
        .list()
        .flatMap(each => each.stages.map(({ stage, amount, status: word }) => `${stage} ${amount} ${word}`))
    expect(stages()).toEqual(['sale 10.00 approved'])
    await gateway.clock.advance(1)
    expect(stages()).toEqual(books)
    expect(merchant.told).toHaveLength(2)
  })

  it('strikes a sale whose 3DS ends later, by its own operation, and one that a person approves', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'charged-back-later', operation: 'sale', delay: 0, times: 2 })
    const orderId = await sale(gateway, 'o-1', { creditCardNumber: threeDSecure1Card })
    // python3 -c "import base64,zlib; print(base64.b64encode(zlib.compress(b'<status>Y</status>')).decode())"
    await call(gateway, 'uploadParesResult', { clientOrderId: 'o-1', orderId, paRes: 'eJyzKS5JLCkttou00YeyAEBWBsU=' })
    gateway.act({ action: 'approve', orderId: await sale(gateway, 'o-2', { cvv2: '217' }) })
    await gateway.clock.advance(0)
    expect(gateway.orders.list().map(({ stages }) => stages.map(({ stage }) => stage))).toEqual([
      ['sale', 'chargeback'],
      ['sale', 'chargeback'],
    ])
  })

  it('does not strike an older payment at a request that decides nothing', async () => {
    const gateway = await open(transport)
    const orderId = await sale(gateway)
    gateway.faults.arm('charged-back-later')
    await call(gateway, 'createCardRef', { clientOrderId: 'o-1', orderId })
    expect(gateway.faults.armed()).toHaveLength(1)
  })

  it('waits for an order that it fits, and gives way to what the merchant did first', async () => {
    const gateway = await open(transport)
    gateway.faults.arm('charged-back-later')
    await pay(gateway, 'preauth', { clientOrderId: 'held' })
    await sale(gateway, 'refused', { cvv2: '116' })
    expect(gateway.faults.armed()).toHaveLength(1)
    const orderId = await sale(gateway)
    expect(gateway.faults.armed()).toEqual([])
    await call(gateway, 'return', { clientOrderId: 'o-1', orderId })
    await gateway.clock.advance(60 * day)
    expect(await status(gateway)).toMatchObject({ 'transaction-type': 'reversal' })
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, pay } from './signed-request.js'

const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map(close => close())))

function open(options: FakeGatewayOptions = {}): FakeGateway {
  const gateway = createFakeGateway({ clock: createFakeClock({ base: () => 1_800_000_000_000 }), ...options })
  closers.push(() => gateway.close())
  return gateway
}

async function merchant() {
  const started = await startCallbackMerchant({ names: ['type', 'status', 'amount'] })
  closers.push(started.close)
  return started
}

const sale = async (gateway: FakeGateway, fields: Record<string, string> = {}) =>
  (await pay(gateway, 'sale', { clientOrderId: 'o-1', ...fields })).reply['paynet-order-id'] ?? ''

const status = async (gateway: FakeGateway) => (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply

describe('orders', () => {
  it('are found by either id, with what may be done to them', async () => {
    const gateway = open()
    const orderId = await sale(gateway)
    const found = gateway.orders.find('o-1')
    expect(found).toEqual(gateway.orders.find(orderId))
    expect(gateway.orders.list()).toEqual([found])
    expect(found).toMatchObject({
      orderId,
      clientOrderId: 'o-1',
      login: 'merchant',
      currency: 'EUR',
      card: { bin: '444444', lastFourDigits: '4448', brand: 'VISA' },
      stages: [{ stage: 'sale', operation: 'sale', status: 'approved', final: true, amount: '10.00' }],
      actions: ['correct', 'reverse', 'charge-back'],
    })
    expect(gateway.orders.find('o-2')).toBeUndefined()
  })

  it('offer nothing to take back of a hold that was voided, and all the rest as before', async () => {
    const gateway = open()
    const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    await call(gateway, 'void', { clientOrderId: 'o-1', orderId })
    expect(gateway.orders.find('o-1')).toMatchObject({
      stages: [{ stage: 'preauth' }, { stage: 'void', status: 'approved' }],
      actions: ['correct'],
    })
    expect(() => gateway.act({ orderId, action: 'charge-back' })).toThrow('above what is left: 0.00.')
  })

  it('offer only what can be done', async () => {
    const gateway = open({ processingTime: 1_000 })
    await sale(gateway)
    expect(gateway.orders.find('o-1')?.actions).toEqual(['approve', 'decline'])
    await pay(gateway, 'preauth', { clientOrderId: 'o-2' })
    await gateway.clock.advance(1_000)
    expect(gateway.orders.find('o-2')?.actions).toEqual(['correct', 'reverse'])
  })
})

describe('actions', () => {
  it.each([
    ['a processing time', { processingTime: 60_000 }, '123'],
    ['an unknown outcome', {}, '217'],
    ['3DS', {}, '321'],
  ])('decide an order that waits for %s', async (_, options, cvv2) => {
    for (const [action, word] of [
      ['approve', 'approved'],
      ['decline', 'declined'],
    ] as const) {
      const { told, url } = await merchant()
      const gateway = open(options)
      const orderId = await sale(gateway, { cvv2, serverCallbackUrl: url })
      expect(gateway.act({ action, orderId }).stages[0]).toMatchObject({ status: word, final: true })
      const reply = await status(gateway)
      expect(reply.status).toBe(word)
      expect(reply).not.toHaveProperty('tds_status')
      await gateway.callbacks.idle()
      await gateway.clock.advance(120_000)
      expect(told).toEqual([`sale ${word} 10.00`])
    }
  })

  it('decline for a reason', async () => {
    const gateway = open({ processingTime: 60_000 })
    const orderId = await sale(gateway)
    gateway.act({ action: 'decline', orderId, errorCode: '116', errorMessage: 'Too poor' })
    expect(await status(gateway)).toMatchObject({ 'error-code': '116', 'error-message': 'Too poor' })
  })

  it('correct a final word, in either direction, and call back about it', async () => {
    const { told, url } = await merchant()
    const gateway = open()
    const orderId = await sale(gateway, { serverCallbackUrl: url })
    await gateway.callbacks.idle()
    for (const word of ['declined', 'approved'] as const) {
      gateway.act({ action: 'correct', orderId, status: word })
      expect((await status(gateway)).status).toBe(word)
      await gateway.callbacks.idle()
    }
    expect(told).toEqual(['sale approved 10.00', 'sale declined 10.00', 'sale approved 10.00'])
  })

  it.each([
    ['reverse', 'reversal'],
    ['charge-back', 'chargeback'],
  ] as const)('%s takes money back, and only notify_url hears of it', async (action, stage) => {
    for (const [field, heard] of [
      ['serverCallbackUrl', ['sale approved 10.00']],
      ['notifyUrl', ['sale approved 10.00', `${stage} approved 4.00`, `${stage} approved 6.00`]],
    ] as const) {
      const { told, url } = await merchant()
      const gateway = open()
      const orderId = await sale(gateway, { [field]: url })
      await gateway.callbacks.idle()
      gateway.act({ action, orderId, amount: '4.00' })
      await gateway.callbacks.idle()
      gateway.act({ action, orderId })
      await gateway.callbacks.idle()
      expect(told).toEqual(heard)
      expect(await status(gateway)).toMatchObject({ 'transaction-type': stage, amount: '6.00', status: 'approved' })
      expect(() => gateway.act({ action, orderId })).toThrow('is above what is left: 0.00')
      const back = await call(gateway, 'return', { clientOrderId: 'o-1', orderId, amount: '1.00', currency: 'EUR' })
      expect(back.reply['error-message']).toContain('10.00 captured, 10.00 returned')
    }
  })

  it.each([
    [{ action: 'approve' }, 'has ended. Use "correct"'],
    [{ action: 'correct' }, '"status" must be approved, declined, filtered or error'],
    [{ action: 'correct', status: 'approved' }, 'is approved already'],
    [{ action: 'reverse', amount: '10.01' }, 'The reversal of 10.01 is above what is left: 10.00'],
    [{ action: 'charge-back', amount: 'much' }, '"amount" is "much"'],
    [{ action: 'explode' }, 'There is no action "explode". There are: approve, decline'],
    [{ action: 'approve', orderId: '1' }, 'There is no order "1"'],
  ])('refuse %j with a reason, and change nothing', async (action, text) => {
    const gateway = open()
    const orderId = await sale(gateway)
    const before = gateway.orders.list()
    expect(() => gateway.act({ orderId, ...action } as never)).toThrow(text)
    expect(() => gateway.act({ orderId, ...action } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_IMPOSSIBLE_ACTION' }),
    )
    expect(gateway.orders.list()).toEqual(before)
  })

  it('end a hosted form: the customer finds it done', async () => {
    const gateway = open()
    const form = { amount: '10.00', currency: 'EUR', email: 'ada@shop.test', redirectUrl: 'http://127.0.0.1:1/back' }
    const { reply } = await call(gateway, 'saleForm', { clientOrderId: 'o-1', ...form })
    gateway.act({ action: 'approve', orderId: reply['paynet-order-id'] ?? '' })
    const { dispatcher } = gateway
    const { request } = await import('undici')
    const page = await request(reply['redirect-url'] ?? '', { dispatcher })
    expect(page.statusCode).toBe(410)
    await page.body.dump()
  })
})

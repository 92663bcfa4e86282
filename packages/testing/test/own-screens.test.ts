/**
 * What a gateway's own people do to an order, and what something on the way does to a request. What may go back is section 3 of the
 * specification, rules 3 and 4; that status replies tell movements apart by RRN and approval code is what merchants saw.
 *
 * @module
 */
import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway } from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, pay } from './signed-request.js'

let gateway: FakeGateway
let shop: Awaited<ReturnType<typeof startCallbackMerchant>>
beforeEach(async () => {
  gateway = createFakeGateway({ clock: createFakeClock({ base: () => 1_800_000_000_000 }) })
  shop = await startCallbackMerchant({ names: ['orderid', 'type', 'status', 'amount'] })
})
afterEach(() => Promise.all([gateway.close(), shop.close()]))

const begin = async (operation: 'sale' | 'preauth' = 'sale') =>
  (await pay(gateway, operation, { clientOrderId: 'o-1', notifyUrl: shop.url })).reply['paynet-order-id'] ?? ''

const ask = async (fields: Record<string, string> = {}) =>
  (await call(gateway, 'status', { clientOrderId: 'o-1', ...fields })).reply

const books = () =>
  gateway.orders.list().map(({ stages }) => stages.map(({ stage, amount, status }) => `${stage} ${amount} ${status}`))

describe('equal movements at the screens of the gateway', () => {
  it.each(['reverse', 'charge-back'] as const)(
    '%s: each calls back once, by whatever it is told apart',
    async action => {
      const orderId = await begin()
      const part = { orderId, amount: '2.00', currency: 'EUR' }
      await call(gateway, 'return', { clientOrderId: 'o-1', ...part })
      const own = await ask()
      for (const toldApartBy of ['serial-number', 'codes', 'nothing'] as const) {
        gateway.act({ action, orderId, amount: '2.00', toldApartBy })
      }
      await gateway.callbacks.idle()
      const stage = action === 'reverse' ? 'reversal' : 'chargeback'
      expect(books()).toEqual([
        ['sale 10.00 approved', 'reversal 2.00 approved', ...Array(3).fill(`${stage} 2.00 approved`)],
      ])
      expect(shop.told.slice(2)).toEqual(Array(3).fill(`${orderId} ${stage} approved 2.00`))
      const numbers = gateway.orders.find('o-1')?.stages.map(({ serialNumbers }) => serialNumbers) ?? []
      expect(numbers.map(({ length }) => length)).toEqual([1, 1, 1, 0, 0])
      const numbered = await ask({ orderId, byRequestSn: numbers[2]?.[0] ?? '' })
      expect(numbered).toMatchObject({ 'transaction-type': stage, amount: '2.00', status: 'approved' })
      expect(numbered['processor-rrn']).toMatch(/^\d{12}$/)
      expect(numbered['processor-rrn']).not.toBe(own['processor-rrn'])
    },
  )

  it.each([
    ['codes', true],
    ['nothing', false],
  ] as const)('by %s: status shows codes: %s', async (toldApartBy, shows) => {
    const orderId = await begin()
    gateway.act({ action: 'reverse', orderId, amount: '2.00', toldApartBy })
    const said = await ask()
    expect(said).toMatchObject({ 'transaction-type': 'reversal', amount: '2.00', status: 'approved' })
    expect(['processor-rrn', 'approval-code'].map(name => name in said)).toEqual([shows, shows])
  })

  it('are told apart by nothing else', async () => {
    const orderId = await begin()
    expect(() => gateway.act({ action: 'reverse', orderId, toldApartBy: 'colour' as never })).toThrow(
      '"toldApartBy" is "colour"; it must be serial-number, codes, nothing.',
    )
    expect(books()).toEqual([['sale 10.00 approved']])
  })
})

it('a hold is released there, as return does it (rule 3)', async () => {
  const orderId = await begin('preauth')
  gateway.act({ action: 'reverse', orderId })
  expect(books()).toEqual([['preauth 10.00 approved', 'cancel 10.00 approved']])
  expect(() => gateway.act({ action: 'reverse', orderId })).toThrow('it was ended by cancel')
  await gateway.callbacks.idle()
  expect(shop.told).toEqual([`${orderId} preauth approved 10.00`, `${orderId} cancel approved 10.00`])
})

it('a correction is of the latest stage, or of any other, and calls back about it', async () => {
  const orderId = await begin()
  gateway.act({ action: 'charge-back', orderId, amount: '4.00' })
  gateway.act({ action: 'correct', orderId, status: 'declined' })
  gateway.act({ action: 'correct', orderId, status: 'filtered', stage: 1 })
  expect(books()).toEqual([['sale 10.00 filtered', 'chargeback 4.00 declined']])
  await gateway.callbacks.idle()
  expect(shop.told.slice(2)).toEqual([`${orderId} chargeback declined 4.00`, `${orderId} sale filtered 10.00`])
  expect(() => gateway.act({ action: 'correct', orderId, status: 'approved', stage: 3 })).toThrow(
    'has 2 stages, and none has number 3',
  )
})

it('an order that a fault corrects later is corrected in the stage that the fault struck', async () => {
  gateway.faults.arm({ fault: 'corrected-later', operation: 'sale', delay: 60_000 })
  const orderId = await begin()
  await call(gateway, 'return', { clientOrderId: 'o-1', orderId, amount: '2.00', currency: 'EUR' })
  await gateway.clock.advance(60_000)
  expect(books()).toEqual([['sale 10.00 declined', 'reversal 2.00 approved']])
})

describe('an amount that comes late', () => {
  it.each([0, 5_000])(
    'is in no reply and no callback until then, and in the books at once (%d ms)',
    async processing => {
      await gateway.close()
      const clock = createFakeClock({ base: () => 1_800_000_000_000 })
      gateway = createFakeGateway({ clock, processingTime: processing })
      gateway.faults.arm({ fault: 'amount-later', delay: 60_000 })
      const orderId = await begin()
      await gateway.clock.advance(processing)
      await gateway.callbacks.idle()
      expect(shop.told).toEqual([`${orderId} sale approved `])
      expect(books()).toEqual([['sale 10.00 approved']])
      await gateway.clock.advance(59_999)
      const early = await ask()
      expect(early.status).toBe('approved')
      expect(early).not.toHaveProperty('amount')
      expect(early).not.toHaveProperty('currency')
      await gateway.clock.advance(1)
      expect(await ask()).toMatchObject({ status: 'approved', amount: '10.00', currency: 'EUR' })
      expect(shop.told).toHaveLength(1)
    },
  )

  it('is not armed for what is declined', async () => {
    gateway.faults.arm('amount-later')
    await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '101' })
    expect(await ask()).toMatchObject({ status: 'declined', amount: '10.00' })
    expect(gateway.faults.armed()).toHaveLength(1)
  })
})

describe('a request that something on the way repeats', () => {
  it('makes a second order under one id, and each calls back', async () => {
    gateway.faults.arm('repeated-on-the-way')
    const orderId = await begin()
    expect(books()).toEqual([['sale 10.00 approved']])
    await gateway.clock.advance(1_000)
    await gateway.callbacks.idle()
    expect(books()).toEqual([['sale 10.00 approved'], ['sale 10.00 approved']])
    const [first, second] = gateway.orders.list().map(each => each.orderId)
    expect(first).toBe(orderId)
    expect(shop.told).toEqual([`${first} sale approved 10.00`, `${second} sale approved 10.00`])
    expect((await ask())['paynet-order-id']).toBe(second)
  })

  it('makes no second order where the wire profile says that a used id is refused', async () => {
    await gateway.close()
    const profile = defineProfile({ usedClientOrderId: 'refused' })
    gateway = createFakeGateway({ clock: createFakeClock({ base: () => 1_800_000_000_000 }), profile })
    gateway.faults.arm('repeated-on-the-way')
    await begin()
    await gateway.clock.advance(1_000)
    expect(books()).toEqual([['sale 10.00 approved']])
    expect(gateway.calls().at(-1)?.explanation).toContain(
      'The repeated request came to nothing: The merchant order id "o-1"',
    )
  })

  it('gives back twice, each return with a serial number of its own', async () => {
    const orderId = await begin()
    gateway.faults.arm({ fault: 'repeated-on-the-way', operation: 'return', delay: 0 })
    const { reply } = await call(gateway, 'return', { clientOrderId: 'o-1', orderId, amount: '3.00', currency: 'EUR' })
    await gateway.clock.advance(0)
    expect(books()).toEqual([['sale 10.00 approved', 'reversal 3.00 approved', 'reversal 3.00 approved']])
    const numbers = gateway.orders.find('o-1')?.stages.flatMap(({ serialNumbers }) => serialNumbers) ?? []
    expect(new Set(numbers).size).toBe(3)
    expect(numbers[1]).toBe(reply['serial-number'])
  })
})

import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { type Answered, call, card, type Name, pay } from './signed-request.js'

/** A gateway with one approved payment over 10.00 EUR, and a way to change it. */
async function paid(name: 'sale' | 'preauth', fields: Record<string, string> = {}, options: FakeGatewayOptions = {}) {
  const gateway = createFakeGateway(options)
  const { reply } = await pay(gateway, name, { clientOrderId: 'o-1', ...fields })
  const ids = { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' }
  const change = (operation: Name, more: Record<string, string> = {}) => call(gateway, operation, { ...ids, ...more })
  return { gateway, ids, change, status: async () => (await change('status')).reply }
}

const part = (amount: string) => ({ amount, currency: 'EUR' })

/** A refusal: an error record, which carries no order id, because a client reads one as "an order exists". */
function expectRefused(answer: Answered, text: string): void {
  expect(answer.status).toBe(400)
  expect(answer.reply['error-message']).toContain(text)
  expect(answer.reply.type).toBe('validation-error')
  expect(answer.reply).not.toHaveProperty('paynet-order-id')
  expect(answer.reply).not.toHaveProperty('merchant-order-id')
}

async function stages(gateway: FakeGateway): Promise<number> {
  return gateway.calls().filter(({ verdict, operation }) => verdict === 'accepted' && operation !== 'status').length
}

describe('section 3, rule 1: a hold ends by capture or void', () => {
  it('captures a whole hold', async () => {
    const { change, status } = await paid('preauth')
    expect((await change('capture')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'capture', status: 'approved', amount: '10.00' })
  })

  it('captures a hold in parts, never above it, and releases the rest', async () => {
    const { change, gateway } = await paid('preauth')
    expect((await change('capture', part('4.00'))).status).toBe(200)
    expectRefused(await change('capture', part('6.01')), 'The capture of 6.01 is above the hold of 6.00')
    expect((await change('capture', part('3.00'))).status).toBe(200)
    expect((await change('void')).status).toBe(200)
    expectRefused(await change('capture', part('0.01')), 'it was ended by capture and void')
    // What was voided was never taken: all that was captured can go back, and no more.
    expect((await change('return', part('7.00'))).status).toBe(200)
    expectRefused(await change('return', part('0.01')), '7.00 captured, 7.00 returned')
    const stages = gateway.orders.find('o-1')?.stages.map(({ stage, amount }) => `${stage} ${amount}`)
    expect(stages).toEqual(['preauth 10.00', 'capture 4.00', 'capture 3.00', 'void 3.00', 'reversal 7.00'])
  })

  it('captures the rest of a hold where no amount is named', async () => {
    const { change, status } = await paid('preauth')
    await change('capture', part('4.00'))
    expect((await change('capture')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'capture', amount: '6.00' })
    expectRefused(await change('capture'), 'finds no hold')
  })

  it('ends the hold with a capture of a part where the profile says so', async () => {
    const { change } = await paid('preauth', {}, { profile: defineProfile({ captureEndsHold: true }) })
    expect((await change('capture', part('4.00'))).status).toBe(200)
    expectRefused(await change('capture', part('1.00')), 'it was ended by capture')
    expectRefused(await change('void'), 'it was ended by capture')
  })

  it('refuses to capture more than the hold', async () => {
    const { change, gateway } = await paid('preauth')
    expectRefused(await change('capture', part('10.01')), 'The capture of 10.01 is above the hold of 10.00')
    expect(await stages(gateway)).toBe(1)
  })

  it('refuses to capture a sale', async () => {
    const { change } = await paid('sale')
    expectRefused(await change('capture'), 'A capture settles a preauth, and this order is a sale')
  })

  it('releases a whole hold', async () => {
    const { change, status } = await paid('preauth')
    expect((await change('void')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'void', status: 'approved', amount: '10.00' })
    expectRefused(await change('capture'), 'it was ended by void')
  })
})

describe('section 3, rule 2: void has no part and needs what is not settled', () => {
  it('refuses an amount', async () => {
    const { change } = await paid('preauth')
    expectRefused(await change('void', part('1.00')), 'The void operation has no amount')
  })

  it('refuses a sale, which is settled', async () => {
    const { change } = await paid('sale')
    expectRefused(await change('void'), 'A sale is settled')
  })

  it('voids a sale where the profile says that it is not settled, once', async () => {
    const { change } = await paid('sale', {}, { profile: defineProfile({ saleIsSettled: false }) })
    expect((await change('void')).status).toBe(200)
    expectRefused(await change('void'), 'voided or returned before')
    expectRefused(await change('return'), 'above what is left')
  })
})

describe('section 3, rule 3: return is a cancel of a preauth and a reversal of a sale or a capture', () => {
  it('cancels a hold', async () => {
    const { change, status } = await paid('preauth')
    expect((await change('return')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'cancel', amount: '10.00' })
    expectRefused(await change('capture'), 'it was ended by cancel')
  })

  it('cancels a hold in parts, never above it, and what is left can be captured', async () => {
    const { change, status } = await paid('preauth')
    expect((await change('return', part('4.00'))).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'cancel', amount: '4.00' })
    expectRefused(await change('return', part('6.01')), 'The return of 6.01 is above the hold of 6.00')
    expectRefused(await change('capture', part('6.01')), 'The capture of 6.01 is above the hold of 6.00')
    expect((await change('return', part('1.00'))).status).toBe(200)
    expect((await change('capture')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'capture', amount: '5.00' })
    expectRefused(await change('return', part('5.01')), '5.00 captured, 0.00 returned')
  })

  it('releases what is left of a hold by a return without an amount', async () => {
    const { change, status } = await paid('preauth')
    await change('return', part('4.00'))
    expect((await change('return')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'cancel', amount: '6.00' })
    expectRefused(await change('void'), 'it was ended by cancel')
  })

  it('refuses to cancel a part of a hold where the profile says so', async () => {
    const { change } = await paid('preauth', {}, { profile: defineProfile({ cancelEndsHold: true }) })
    expectRefused(await change('return', part('4.00')), 'cancels the whole hold of 10.00, not 4.00')
    expect((await change('return', part('10.00'))).status).toBe(200)
    expectRefused(await change('capture'), 'it was ended by cancel')
  })

  it('reverses a capture, never above what was captured', async () => {
    const { change, status } = await paid('preauth')
    await change('capture', part('6.00'))
    expectRefused(await change('return', part('6.01')), 'above what is left: 6.00 captured, 0.00 returned')
    expect((await change('return')).status).toBe(200)
    expect(await status()).toMatchObject({ 'transaction-type': 'reversal', amount: '6.00' })
  })

  it('refuses to return what is neither', async () => {
    const gateway = createFakeGateway()
    const { reply } = await call(gateway, 'payout', { clientOrderId: 'p', ...part('5.00'), accountNumber: '12345678' })
    const answer = await call(gateway, 'return', { clientOrderId: 'p', orderId: reply['paynet-order-id'] ?? '' })
    expectRefused(answer, 'A payout cannot be returned')
  })
})

describe('section 3, rule 4: a return may be partial', () => {
  it('takes two equal returns and refuses a third beyond the total', async () => {
    const { change, status } = await paid('sale')
    const first = await change('return', part('5.00'))
    const second = await change('return', part('5.00'))
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.reply['serial-number']).not.toBe(second.reply['serial-number'])
    expect(await status()).toMatchObject({ 'transaction-type': 'reversal', amount: '5.00' })
    expectRefused(await change('return', part('0.01')), '10.00 captured, 10.00 returned')
  })

  it('takes a return without an amount for the whole, and says what is left when that is too much', async () => {
    const { change } = await paid('sale')
    await change('return', part('5.00'))
    expectRefused(await change('return'), 'Without an amount it means the whole; name the rest.')
  })

  it('refuses an amount without a currency, a currency without an amount, and another currency', async () => {
    const { change } = await paid('sale')
    const lonely = await change('return', { currency: 'EUR' })
    expect(lonely.status).toBe(400)
    expect(lonely.reply['error-message']).toContain('There is "currency" without "amount"')
    const other = await change('return', { amount: '5.00', currency: 'USD' })
    expect(other.reply['error-message']).toContain('"currency" is "USD"; the order is in "EUR"')
  })
})

describe('section 3, rule 5: the original must be in a final successful status', () => {
  it.each([
    ['declined', '116'],
    ['unknown', '217'],
    ['processing', '321'],
  ])('refuses every change of an original that is %s', async (word, cvv2) => {
    for (const operation of ['capture', 'void', 'return'] as const) {
      const { change } = await paid('preauth', { cvv2 })
      expectRefused(await change(operation), `this preauth is ${word}`)
    }
  })

  it('refuses a change until the processing time is over', async () => {
    const { change, gateway, status } = await paid('preauth', {}, { processingTime: 2_000 })
    expect((await status()).status).toBe('processing')
    expectRefused(await change('capture'), 'this preauth is processing')
    await gateway.clock.advance(2_000)
    expect((await change('capture')).status).toBe(200)
    expect((await status()).status).toBe('processing')
    expectRefused(await change('void'), 'it was ended by capture')
  })
})

describe('section 3, rule 6: a sale is authorization and capture in one', () => {
  it('is approved over its amount', async () => {
    const { status } = await paid('sale')
    expect(await status()).toMatchObject({ 'transaction-type': 'sale', status: 'approved', amount: '10.00' })
  })
})

describe('the merchant order id', () => {
  it('makes a second order when it is used again, as observed, and status by it alone shows the latest', async () => {
    const { gateway, ids, change } = await paid('preauth')
    const again = await pay(gateway, 'sale', { clientOrderId: 'o-1', amount: '7.00' })
    expect(again.status).toBe(200)
    const second = again.reply['paynet-order-id'] ?? ''
    expect(second).not.toBe(ids.orderId)
    expect(gateway.calls('sale')[0]?.warnings?.at(-1)).toBe(
      '"client_orderid" was used before, and this makes a second order; another gateway may refuse it ' +
        '("usedClientOrderId" of the wire profile)',
    )

    // A change of the first does not make it the latest.
    expect((await change('capture')).status).toBe(200)
    const byMerchantId = await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(byMerchantId.reply).toMatchObject({ 'paynet-order-id': second, 'transaction-type': 'sale', amount: '7.00' })
    const byBoth = await call(gateway, 'status', ids)
    expect(byBoth.reply).toMatchObject({ 'paynet-order-id': ids.orderId, 'transaction-type': 'capture' })
    expect(gateway.orders.list().map(({ orderId }) => orderId)).toEqual([ids.orderId, second])
  })

  it('of an order is found though a subscription was created under it', async () => {
    const { gateway, ids } = await paid('sale')
    const subscription = { clientOrderId: 'o-1', ...card, rpCardType: 'SRC', amount: '10.00', currency: 'EUR' }
    expect((await call(gateway, 'createRecurringPayment', subscription)).status).toBe(200)
    const { reply } = await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(reply).toMatchObject({ 'paynet-order-id': ids.orderId })
  })

  it('is refused when it is used again where the profile says so: nothing is created', async () => {
    const profile = defineProfile({ usedClientOrderId: 'refused' })
    const { gateway, ids } = await paid('sale', {}, { profile })
    expectRefused(
      await pay(gateway, 'preauth', { clientOrderId: 'o-1' }),
      'The merchant order id "o-1" was used before',
    )
    const status = await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(status.reply).toMatchObject({ 'paynet-order-id': ids.orderId, 'transaction-type': 'sale' })
    expect(gateway.orders.list()).toHaveLength(1)
  })

  it('tells faults which of two orders they strike', async () => {
    const { gateway, change } = await paid('preauth')
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    gateway.faults.arm({ fault: 'reversed-later', operation: 'capture', delay: 1_000 })
    await change('capture')
    await gateway.clock.advance(1_000)
    const [first, second] = gateway.orders.list()
    expect(first?.stages.map(({ stage }) => stage)).toEqual(['preauth', 'capture', 'reversal'])
    expect(second?.stages.map(({ stage }) => stage)).toEqual(['sale'])
  })
})

describe('status', () => {
  it('finds an order by either id and by both', async () => {
    const { gateway, ids } = await paid('sale')
    const asked = [{ clientOrderId: 'o-1' }, { orderId: ids.orderId }, ids]
    for (const fields of asked) {
      const { reply } = await call(gateway, 'status', fields)
      expect(reply).toMatchObject({ 'paynet-order-id': ids.orderId, 'merchant-order-id': 'o-1' })
    }
  })

  it('refuses ids of two different orders', async () => {
    const { gateway, ids } = await paid('sale')
    await pay(gateway, 'sale', { clientOrderId: 'o-2' })
    const answer = await call(gateway, 'status', { ...ids, clientOrderId: 'o-2' })
    expectRefused(answer, 'The orderid belongs to an order with another merchant order id.')
  })

  it('picks the stage of one request by its serial number', async () => {
    const { change } = await paid('preauth')
    const capture = await change('capture', part('4.00'))
    await change('return', part('1.00'))
    const serial = capture.reply['serial-number'] ?? ''
    const { reply } = await change('status', { byRequestSn: serial })
    expect(reply).toMatchObject({ 'transaction-type': 'capture', amount: '4.00', 'by-request-sn': serial })
    expect((await change('status')).reply).toMatchObject({ 'transaction-type': 'reversal', amount: '1.00' })
    expectRefused(await change('status', { byRequestSn: 'unheard-of' }), 'No request on order')
  })

  it('answers for an order it never saw with the code the profile has for it', async () => {
    const gateway = createFakeGateway({ profile: defineProfile({ orderNeverSeen: '7788' }) })
    const answer = await call(gateway, 'status', { clientOrderId: 'never-seen' })
    expectRefused(answer, 'There is no order with merchant order id "never-seen".')
    expect(answer.reply['error-code']).toBe('7788')
  })
})

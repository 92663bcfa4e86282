import { describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, pay } from './signed-request.js'

const open = (options: FakeGatewayOptions = {}): FakeGateway =>
  createFakeGateway({ clock: createFakeClock({ base: () => 1_800_000_000_000 }), ...options })

const status = async (gateway: FakeGateway, clientOrderId: string) =>
  (await call(gateway, 'status', { clientOrderId })).reply

/** Sales one after the other, and how each ended. */
async function sales(gateway: FakeGateway, ...all: Record<string, string>[]): Promise<(string | undefined)[]> {
  const words: (string | undefined)[] = []
  for (const [index, fields] of all.entries()) {
    const clientOrderId = `o-${index}`
    await pay(gateway, 'sale', { clientOrderId, ...fields })
    words.push((await status(gateway, fields.clientOrderId ?? clientOrderId)).status)
  }
  return words
}

describe('planned outcomes', () => {
  it('decide in the order they were planned, then the security code does again', async () => {
    const gateway = open()
    for (const outcome of ['declined', 'filtered', 'error', 'unknown'] as const) gateway.outcomes.plan(outcome)
    gateway.outcomes.plan({ outcome: 'approved', times: 2 })
    const bad = { cvv2: '101' }
    expect(await sales(gateway, {}, {}, {}, {}, bad, bad, bad)).toEqual([
      'declined',
      'filtered',
      'error',
      'unknown',
      'approved',
      'approved',
      'declined',
    ])
    gateway.assertAllHandled()
  })

  it('by amount decide every time, however the amount is written, and survive a reset as an option', async () => {
    const gateway = open({
      outcomes: [{ amount: '66.6', outcome: 'declined', errorCode: '666', errorMessage: 'No.' }],
    })
    for (const _round of [1, 2]) {
      const words = await sales(gateway, { amount: '66.60' }, { amount: '66.61' }, { amount: '66.60' })
      expect(words).toEqual(['declined', 'approved', 'declined'])
      expect(await status(gateway, 'o-0')).toMatchObject({ 'error-code': '666', 'error-message': 'No.' })
      gateway.reset()
    }
    gateway.assertAllHandled()
  })

  it('of an amount leave a currency alone that cannot have it', async () => {
    const gateway = open({ outcomes: [{ amount: '66.60', outcome: 'declined' }] })
    expect(await sales(gateway, { amount: '66', currency: 'JPY' })).toEqual(['approved'])
  })

  it('fit the operation and the order they name', async () => {
    const gateway = open()
    gateway.outcomes.plan({ outcome: 'declined', operation: 'capture' })
    gateway.outcomes.plan({ outcome: 'filtered', clientOrderId: 'late' })
    expect(await sales(gateway, {}, { clientOrderId: 'late' })).toEqual(['approved', 'filtered'])
    const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'held' })
    const ids = { clientOrderId: 'held', orderId: reply['paynet-order-id'] ?? '' }
    await call(gateway, 'capture', ids)
    expect(await status(gateway, 'held')).toMatchObject({ 'transaction-type': 'capture', status: 'declined' })
    await call(gateway, 'capture', ids)
    expect(await status(gateway, 'held')).toMatchObject({ 'transaction-type': 'capture', status: 'approved' })
  })

  it('decide payouts, rebills and transfers as well', async () => {
    const gateway = open()
    const money = { amount: '10.00', currency: 'EUR' }
    await pay(gateway, 'sale', { clientOrderId: 'first' })
    const orderId = gateway.orders.find('first')?.orderId ?? ''
    const { reply } = await call(gateway, 'createCardRef', { clientOrderId: 'first', orderId })
    const destinationCardNo = '4444444444444448'
    for (const [name, fields] of [
      ['payout', { ...money, accountNumber: '12345678' }],
      ['payoutCheck', { ...money, accountNumber: '12345678' }],
      ['makeRebill', { ...money, cardRefId: reply['card-ref-id'] ?? '' }],
      ['transferByRef', { ...money, destinationCardNo }],
      ['transfer', { ...money, deposit2card: 'true', destinationCardNo }],
      ['panEligibilitySend', { sendingCardNumber: destinationCardNo }],
    ] as const) {
      gateway.outcomes.plan({ outcome: 'declined', operation: name })
      await call(gateway, name, { clientOrderId: name, ...fields })
      expect(await status(gateway, name)).toMatchObject({ status: 'declined', 'error-code': '100' })
    }
    gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutPay' })
    const check = await call(gateway, 'payoutCheck', { clientOrderId: 'two', ...money, accountNumber: '12345678' })
    await call(gateway, 'payoutPay', { clientOrderId: 'two', orderId: check.reply['paynet-order-id'] ?? '' })
    expect(await status(gateway, 'two')).toMatchObject({ 'transaction-type': 'payout', status: 'declined' })
  })

  it('ask for 3DS where a customer can be asked, and wait for such a request', async () => {
    const gateway = open()
    gateway.outcomes.plan('3ds')
    await call(gateway, 'payout', { clientOrderId: 'p', amount: '1.00', currency: 'EUR', accountNumber: '12345678' })
    expect(await status(gateway, 'p')).toMatchObject({ status: 'approved' })
    await pay(gateway, 'sale', { clientOrderId: 'o' })
    expect(await status(gateway, 'o')).toMatchObject({ status: 'processing', tds_status: 'MethodUrlFrame' })
  })

  it('that decided nothing are named', () => {
    const gateway = open()
    gateway.outcomes.plan({ outcome: 'declined', operation: 'capture' })
    expect(gateway.outcomes.planned()).toEqual([{ outcome: 'declined', operation: 'capture', times: 1 }])
    expect(() => gateway.assertAllHandled()).toThrow('The outcome "declined" is planned 1 more time(s) for capture.')
    gateway.outcomes.clear()
    gateway.assertAllHandled()
  })

  it.each([
    [{ outcome: 'maybe' }, '"outcome" is "maybe"; it must be "approved", "declined"'],
    [{ outcome: 'declined', operation: 'sell' }, '"operation" is "sell"'],
    [{ outcome: 'declined', amount: '1,00' }, '"amount" is "1,00"'],
    [{ outcome: 'declined', times: 0 }, '"times" is 0'],
    [{ outcome: 'declined', when: 'now' }, 'An outcome has no option "when". It has: outcome, operation'],
  ])('refuse %j', (plan, text) => {
    expect(() => open().outcomes.plan(plan as never)).toThrow(text)
    expect(() => open({ outcomes: [plan as never] })).toThrow(text)
  })
})

/**
 * Charges of subscriptions, counted in the gateway's own books. The specification, section 4: create-recurring-payment "creates a
 * subscription with schedule (`period`, `interval`), amount and customer details".
 *
 * @module
 */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway } from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, card } from './signed-request.js'

const day = 86_400_000

async function subscribe(fields: Record<string, string>, begun = '2030-01-15') {
  const clock = createFakeClock({ base: () => Date.parse(begun) })
  const gateway = createFakeGateway({ clock })
  const source = { currency: 'EUR', rpCardType: 'SRC', ...card }
  const answer = await call(gateway, 'createRecurringPayment', { clientOrderId: 's-1', ...source, ...fields })
  expect(answer.reply['error-message']).toBeUndefined()
  const charges = () => gateway.orders.list().flatMap(({ stages }) => stages)
  const dates = () => charges().map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10))
  return { gateway, clock, charges, dates }
}

describe('a subscription', () => {
  it('charges its card once in each period, and nothing before', async () => {
    const { gateway, clock, charges, dates } = await subscribe({ amount: '9.00', period: 'month', interval: '1' })
    await clock.advance(30 * day)
    expect(charges()).toEqual([])
    await clock.advance(335 * day)
    expect(dates()).toEqual(
      ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
        .map(month => `2030-${month}-15`)
        .concat('2031-01-15'),
    )
    expect(
      charges().every(({ stage, amount, status }) => `${stage} ${amount} ${status}` === 'sale 9.00 approved'),
    ).toBe(true)
    const [first] = gateway.orders.list()
    const { reply } = await call(gateway, 'status', { clientOrderId: 's-1', orderId: first?.orderId ?? '' })
    expect(reply).toMatchObject({ status: 'approved', amount: '9.00', 'last-four-digits': '4448' })
  })

  it.each([
    ['day', '10', '2030-01-15', ['2030-01-25', '2030-02-04', '2030-02-14']],
    ['WEEK', '2', '2030-01-15', ['2030-01-29', '2030-02-12', '2030-02-26']],
    // python-dateutil: date(2030, 1, 31) + relativedelta(months=n), date(2028, 2, 29) + relativedelta(years=n)
    ['month', '1', '2030-01-31', ['2030-02-28', '2030-03-31', '2030-04-30']],
    ['year', '1', '2028-02-29', ['2029-02-28', '2030-02-28', '2031-02-28']],
  ])(
    'of the period %s and the interval %s that began on %s is charged on %j',
    async (period, interval, begun, dates) => {
      const { clock, ...books } = await subscribe({ amount: '9.00', period, interval }, begun)
      await clock.advance(Date.parse(dates[2] ?? '') - Date.parse(begun))
      expect(books.dates()).toEqual(dates)
    },
  )

  it.each([
    [{ amountSequence: '5.00,7.00' }, ['5.00', '7.00']],
    [{ amountFrom: '5.00', amountTo: '5.00' }, ['5.00', '5.00', '5.00']],
  ])('with %j charges %j in three months', async (amounts, charged) => {
    const { clock, charges } = await subscribe({ ...amounts, period: 'month' })
    await clock.advance(95 * day)
    expect(charges().map(({ amount }) => amount)).toEqual(charged)
  })

  it('pays to its card where it is a receiver, and calls back', async () => {
    const shop = await startCallbackMerchant({ names: ['status', 'type', 'amount'] })
    const { gateway, clock, charges } = await subscribe({
      amount: '9.00',
      period: 'month',
      rpCardType: 'DST',
      serverCallbackUrl: shop.url,
    })
    await clock.advance(31 * day)
    await gateway.callbacks.idle()
    expect(charges()).toMatchObject([{ stage: 'payout', amount: '9.00' }])
    expect(shop.told).toEqual(['approved payout 9.00'])
    await shop.close()
  })

  it('is declined once its card has expired, and at a planned outcome', async () => {
    const { gateway, clock, charges } = await subscribe({
      amount: '9.00',
      period: 'month',
      expireMonth: '3',
      expireYear: '2030',
    })
    gateway.outcomes.plan({ outcome: 'declined', operation: 'createRecurringPayment' })
    await clock.advance(95 * day)
    expect(charges().map(({ status }) => status)).toEqual(['declined', 'approved', 'declined'])
  })

  it('ends with what else is reset', async () => {
    const { gateway, clock, charges } = await subscribe({ amount: '9.00', period: 'month' })
    gateway.reset()
    await clock.advance(95 * day)
    expect(charges()).toEqual([])
  })

  it.each([{ period: 'fortnight' }, { period: 'month', interval: '0' }, { interval: '1' }])(
    'says that no charge will come of %j',
    async fields => {
      const { gateway, clock, charges } = await subscribe({ amount: '9.00', ...fields })
      expect(gateway.calls()[0]?.warnings?.join()).toContain('no charge will come')
      await clock.advance(400 * day)
      expect(charges()).toEqual([])
    },
  )

  it('keeps no number and no code of its card', async () => {
    const { clock, gateway } = await subscribe({ amount: '9.00', period: 'month', cvv2: '987' })
    await clock.advance(31 * day)
    expect(inspect([gateway.orders.list(), gateway.calls()], { depth: 9 })).not.toMatch(/4444444444444448|'987'/)
  })
})

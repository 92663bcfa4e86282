/** `till.pay({ absent: true })`: a stored card is charged once for each payment, counted in the gateway's books. */
import { describe, expect, it } from 'vitest'
import type { RebillOrder } from '../../src/index.js'
import { passes } from './acts.js'
import { basket, openShop, type Shop } from './shop.js'

/** Longer than any request can be on its way, in milliseconds. */
const quiet = 180_000

/** A shop whose customer has paid once, so that the card is stored, and the next month of the subscription. */
async function subscribed() {
  const shop = await openShop()
  await shop.customerPays((await shop.till.pay(basket)).address)
  await shop.gateway.callbacks.idle()
  const orderId = shop.gateway.orders.find('basket-7')?.orderId ?? ''
  const { cardRefId = '' } = await shop.till.client.createCardRef({ clientOrderId: 'basket-7', orderId })
  const month: RebillOrder = { reference: 'month-2', amount: '9.00', currency: 'EUR', cardRefId, absent: true }
  shop.told.length = 0
  return { shop, month }
}

/** The orders of the subscription's next month in the gateway's books. */
const books = (shop: Shop) => shop.books().filter(line => line.startsWith('month-2'))

describe('a card that is charged while its holder is absent', () => {
  it('is charged once, however often it is asked for, and sends nobody anywhere', async () => {
    const { shop, month } = await subscribed()
    const [first, second] = await Promise.all([shop.till.pay(month), shop.till.pay(month)])
    expect([first.kind, second.kind]).not.toContain('go')
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['month-2 paid 9.00'])
    expect(await shop.till.pay(month)).toMatchObject({ kind: 'over', payment: { state: 'paid', amount: '9.00' } })
    expect(books(shop)).toEqual(['month-2 sale approved'])
    expect(shop.gateway.calls('makeRebill')).toHaveLength(1)
    expect(await shop.till.return('month-2')).toMatchObject({ kind: 'sent' })
  })

  it.each(['commit-then-drop', 'delayed-commit', 'server-error-after-commit'] as const)(
    'never has a second order while the answer is lost (%s)',
    async fault => {
      const { shop, month } = await subscribed()
      shop.gateway.faults.arm('callback-never')
      shop.gateway.faults.arm({ fault, operation: 'makeRebill' })
      expect(await shop.till.pay(month)).toMatchObject({ kind: 'wait', payment: { state: 'unknown' } })
      for (let round = 0; round < 3; round += 1) {
        await passes(shop, quiet)
        expect((await shop.till.pay(month)).kind).not.toBe('go')
      }
      expect(shop.told).toEqual(['month-2 paid 9.00'])
      expect(books(shop)).toEqual(['month-2 sale approved'])
    },
  )

  it('is charged by the next order after a decline, once status was asked again', async () => {
    const { shop, month } = await subscribed()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'makeRebill' })
    await shop.till.pay(month)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['month-2 declined 9.00'])
    const asked = shop.gateway.calls('status').length
    expect((await shop.till.pay(month)).kind).not.toBe('go')
    expect(shop.gateway.calls('status').length).toBeGreaterThan(asked)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['month-2 declined 9.00', 'month-2 paid 9.00'])
    expect(books(shop)).toEqual(['month-2 sale declined', 'month-2.2r sale approved'])
  })

  it('is not charged again where the decline was corrected meanwhile', async () => {
    const { shop, month } = await subscribed()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'makeRebill' })
    await shop.till.pay(month)
    await shop.gateway.callbacks.idle()
    shop.gateway.faults.arm('callback-never')
    const orderId = shop.gateway.orders.find('month-2')?.orderId ?? ''
    shop.gateway.act({ action: 'correct', status: 'approved', orderId })
    expect((await shop.till.pay(month)).kind).toBe('over')
    expect(books(shop)).toHaveLength(1)
  })

  it('waits for the form of a customer who pays the same payment, and is charged by nobody else', async () => {
    const { shop, month } = await subscribed()
    const form = await shop.till.pay({ ...basket, reference: 'month-2', amount: '9.00' })
    expect(await shop.till.pay(month)).toMatchObject({ kind: 'go', address: form.address })
    await shop.customerPays(form.address)
    await shop.gateway.callbacks.idle()
    expect((await shop.till.pay(month)).kind).toBe('over')
    expect(shop.gateway.calls('makeRebill')).toHaveLength(0)
  })

  it.each([{ hold: true }, { enumerateAmounts: '9.00,4.50' }, { creditCardNumber: '4444444444444448' }])(
    'is refused with %o, before anything is sent',
    async more => {
      const { shop, month } = await subscribed()
      await expect(shop.till.pay({ ...month, ...more })).rejects.toThrow(/"absent" does not go with/)
      expect(books(shop)).toEqual([])
    },
  )
})

/** Cases that must hold after a backup of the store was put back, wherever the documents are kept. */
import type { FakeGateway } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { minute } from './acts.js'
import { buys, live, type Place, restore } from './restored-shop.js'
import { basket, type Shop } from './shop.js'

const day = 24 * 60 * minute

/** The shop that this form leads back to is closed. */
const paysOnOldForm = (shop: Shop, address: string) => shop.customerPays(address).catch(() => undefined)

/** Its callback may still be telling it. */
const hears = ({ told }: Shop, lines: readonly string[]) =>
  vi.waitFor(() => expect(told).toEqual(lines), { timeout: 600_000 })

const stages = (gateway: FakeGateway) =>
  gateway.orders
    .list()
    .map(
      ({ clientOrderId, stages }) =>
        `${clientOrderId} ${stages.map(({ stage, status, amount }) => `${stage} ${amount} ${status}`).join(', ')}`,
    )

const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }

/** Defines the test of a payment that the backup lacks. */
export const lackedIsTakenUp = (place: Place): void => {
  it(`${place.name}, backup put back, a payment lacks: it is taken up as it is, told once, and not charged again`, async () => {
    const { gateway } = await restore(place, {
      lost: buys,
      async restored(shop) {
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect((await shop.till.pay(basket)).kind).toBe('over')
        await hears(shop, ['basket-7 paid 10.00'])
      },
    })
    expect(gateway.calls('saleForm')).toHaveLength(1)
    expect(stages(gateway)).toEqual(['basket-7 sale 10.00 approved'])
  })
}

/** Defines all tests of backups. */
export const backupIsPutBack = (place: Place): void => {
  describe(`after a backup was put back, in ${place.name}`, () => {
    lackedIsTakenUp(place)

    it('a decline and the second order that it lacks are taken up one after the other', async () => {
      const { gateway } = await restore(place, {
        async lost(shop) {
          await buys(shop, { cvv2: '101' })
          await buys(shop)
        },
        async restored(shop) {
          expect((await shop.till.pay(basket)).kind).toBe('over')
          await hears(shop, ['basket-7 declined 10.00', 'basket-7 paid 10.00'])
        },
      })
      expect(stages(gateway)).toEqual(['basket-7 sale 10.00 declined', 'basket-7.2r sale 10.00 approved'])
    })

    it('a form that is still open is waited for: a customer may have its address', async () => {
      let address = ''
      const { gateway } = await restore(place, {
        async lost(shop) {
          ;({ address } = await shop.till.pay(basket))
        },
        async restored(shop) {
          expect((await shop.till.pay(basket)).kind).toBe('wait')
          await shop.gateway.clock.advance(30 * minute)
          expect((await shop.till.pay(basket)).kind).toBe('wait')
          await paysOnOldForm(shop, address)
          expect((await shop.till.pay(basket)).kind).toBe('over')
          await hears(shop, ['basket-7 paid 10.00'])
        },
      })
      expect(stages(gateway)).toEqual(['basket-7 sale 10.00 approved'])
    })

    it('a form that is still open is replaced where the merchant allows it, and watched', async () => {
      let address = ''
      await restore(place, {
        replaceOpenForm: true,
        async lost(shop) {
          ;({ address } = await shop.till.pay(basket))
        },
        async restored(shop) {
          const next = await shop.till.pay(basket)
          expect(next.kind).toBe('go')
          await shop.customerPays(next.address)
          await shop.gateway.callbacks.idle()
          await paysOnOldForm(shop, address)
          await shop.gateway.clock.advance(day)
          // Its own work may have taken it up before the tick could.
          await vi.waitFor(
            async () => {
              await shop.till.tick()
              expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
            },
            { timeout: 600_000 },
          )
        },
      })
    })

    it('a hold that it lacks is taken up, and captured once', async () => {
      const { gateway } = await restore(place, {
        lost: shop => buys(shop, { hold: true }),
        async restored(shop) {
          expect(await shop.till.pay({ ...basket, hold: true })).toMatchObject({
            kind: 'over',
            payment: { state: 'held' },
          })
          await shop.till.capture('basket-7')
          expect((await shop.till.capture('basket-7')).again).toBe(true)
        },
      })
      expect(stages(gateway)).toEqual(['basket-7 preauth 10.00 approved, capture 10.00 approved'])
    })

    it('an order that was begun for another purpose is no payment of this one', async () => {
      const { gateway } = await restore(place, {
        lost: shop => buys(shop, { hold: true }),
        async restored(shop) {
          await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_OTHER_PAYMENT' })
          expect(shop.told).toEqual(['basket-7 held 10.00'])
        },
      })
      expect(gateway.orders.list()).toHaveLength(1)
    })

    it('a capture and a void that it lacks are not sent again', async () => {
      const { gateway } = await restore(place, {
        before: shop => buys(shop, { hold: true }),
        lost: shop => shop.till.capture('basket-7'),
        async restored(shop) {
          await expect(shop.till.capture('basket-7')).rejects.toMatchObject({ moneyMayHaveMoved: false })
          await expect(shop.till.void('basket-7')).rejects.toMatchObject({ moneyMayHaveMoved: false })
        },
      })
      expect(gateway.calls('capture')).toHaveLength(1)
      expect(gateway.calls('void')).toHaveLength(0)
    })

    it('a part that was given back is not given back again', async () => {
      const { gateway } = await restore(place, {
        before: buys,
        lost: shop => shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' }),
        async restored(shop) {
          const again = shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
          await expect(again).rejects.toMatchObject({ moneyMayHaveMoved: false })
        },
      })
      expect(gateway.calls('return')).toHaveLength(1)
    })

    it('what it does have is changed as ever', async () => {
      const { gateway } = await restore(place, {
        before: buys,
        lost: async () => {},
        restored: shop => shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' }),
      })
      expect(gateway.calls('return')).toHaveLength(1)
    })

    it.each([
      ['one step', false],
      ['two steps', true],
    ])('a payout in %s that it lacks is sent once', async (_, checked) => {
      const pays = async ({ till, gateway }: Shop) => {
        await till.payout({ ...payout, checked })
        await gateway.callbacks.idle()
        await gateway.clock.advance(5 * minute)
        await till.tick()
        return till.payout({ ...payout, checked })
      }
      const { gateway, result } = await restore(place, { lost: pays, restored: pays })
      expect(result.kind).toBe('sent')
      expect(gateway.calls('payoutV4').length + gateway.calls('payoutPay').length).toBe(1)
      expect(gateway.orders.list()).toHaveLength(1)
    })

    it('a payout that was checked before and sent after it is not sent again', async () => {
      const pays = async ({ till, gateway }: Shop) => {
        await till.payout({ ...payout, checked: true })
        await gateway.callbacks.idle()
        await gateway.clock.advance(5 * minute)
        await till.tick()
      }
      const { gateway } = await restore(place, { before: pays, lost: pays, restored: pays })
      expect(gateway.calls('payoutPay')).toHaveLength(1)
    })

    it('nothing is opened while status does not answer', async () => {
      const { gateway } = await restore(place, {
        lost: buys,
        async restored(shop) {
          shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
          expect((await shop.till.pay(basket)).kind).toBe('wait')
          expect((await shop.till.pay({ ...basket, reference: 'basket-8' })).kind).toBe('wait')
          shop.gateway.faults.clear()
          expect((await shop.till.pay(basket)).kind).toBe('over')
          expect((await shop.till.pay({ ...basket, reference: 'basket-8' })).kind).toBe('go')
        },
      })
      expect(gateway.calls('saleForm')).toHaveLength(2)
    })

    it('every process asks before it opens an order, after a restart as well, for as long as was said', async () => {
      const { gateway, kept } = await restore(place, {
        lost: buys,
        restored: shop => shop.till.start({ restored: true, retention: 10 * day }),
      })
      await live({ gateway, kept }, async shop => {
        expect((await shop.till.pay(basket)).kind).toBe('over')
      })
      const asksFor = async (reference: string) => {
        const before = gateway.calls('status').length
        await live({ gateway, kept }, shop => shop.till.pay({ ...basket, reference }))
        return gateway.calls('status').length > before
      }
      await gateway.clock.advance(29 * day)
      expect(await asksFor('basket-8')).toBe(true)
      await gateway.clock.advance(2 * day)
      expect(await asksFor('basket-9')).toBe(false)
      expect(stages(gateway)[0]).toBe('basket-7 sale 10.00 approved')
    })
  })
}

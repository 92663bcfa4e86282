/** Changes and orders that a backup lacks are found by the work in the background, or come back by serial numbers. ADR 0086. */
import { expect, it, vi } from 'vitest'
import { minute } from './acts.js'
import { buys, places, restore } from './restored-shop.js'
import { basket } from './shop.js'

it.each([
  ['its next order', 0],
  // Its own id never came to the gateway, and the payment went on.
  ['one after an order that never arrived', 1],
])('where nobody presses again, %s is found by the work in the background, and told', async (_, lostRequests) => {
  await restore(places.memory, {
    before: shop => buys(shop, { cvv2: '101' }),
    async lost(shop) {
      if (lostRequests > 0) shop.gateway.faults.arm({ fault: 'drop', operation: 'saleForm', times: lostRequests })
      for (let tries = 0; tries < lostRequests; tries += 1) {
        await shop.till.pay(basket).catch(() => undefined)
        await shop.gateway.clock.advance(30 * minute)
      }
      await buys(shop)
    },
    async restored(shop) {
      await vi.waitFor(
        async () => {
          await shop.till.tick()
          await shop.gateway.clock.advance(minute)
          expect(shop.told).toContain('basket-7 paid 10.00')
        },
        { timeout: 600_000 },
      )
      expect((await shop.till.payment('basket-7')).state).toBe('paid')
    },
  })
})

it('changes that later ones cover come back by the serial numbers that a person has looked up', async () => {
  await restore(places.memory, {
    before: buys,
    async lost({ till, gateway }) {
      for (const [key, amount] of Object.entries({ one: '3.00', two: '2.00', three: '3.00' })) {
        await till.return('basket-7', { amount, key })
        await gateway.callbacks.idle()
      }
    },
    async restored(shop) {
      const { orderId = '', stages = [] } = shop.gateway.orders.find('basket-7') ?? {}
      const serialNumbers = stages.slice(1).flatMap(each => each.serialNumbers[0] ?? [])
      expect(serialNumbers).toHaveLength(3)
      const adopted = await shop.till.adopt({ reference: 'basket-7', orderId, serialNumbers })
      expect(adopted).toMatchObject({ kind: 'adopted', again: true })
      const returned = () => shop.told.filter(each => each.includes('returned'))
      expect(returned().toSorted()).toEqual([
        'basket-7 returned 2.00',
        'basket-7 returned 3.00',
        'basket-7 returned 3.00',
      ])
      expect((await shop.till.payment('basket-7')).totals).toMatchObject({ returned: '8.00', returnable: '2.00' })
      // Once more it says nothing new.
      await shop.till.adopt({ reference: 'basket-7', orderId, serialNumbers })
      expect(returned()).toHaveLength(3)
    },
  })
})

it('an order whose beginning a later change covers is asked about, and comes back by its serial numbers', async () => {
  let address = ''
  await restore(places.memory, {
    async before(shop) {
      ;({ address } = await shop.till.pay(basket))
    },
    async lost(shop) {
      await shop.customerPays(address).catch(() => undefined)
      await shop.gateway.callbacks.idle()
      shop.gateway.act({ action: 'charge-back', orderId: shop.gateway.orders.find('basket-7')?.orderId ?? '' })
      await shop.gateway.callbacks.idle()
    },
    async restored(shop) {
      await shop.gateway.clock.advance(minute)
      await vi.waitFor(
        async () => {
          await shop.till.tick()
          expect((await shop.till.payment('basket-7')).needsPerson).toContain('only what came last')
        },
        { timeout: 600_000 },
      )
      expect(await shop.till.questions('basket-7')).toMatchObject([
        { kind: 'incomplete', order: 'basket-7', operation: 'saleForm', stage: 'chargeback', status: 'approved' },
      ])
      const { stages = [] } = shop.gateway.orders.find('basket-7') ?? {}
      const serialNumbers = stages.flatMap(each => each.serialNumbers[0] ?? [])
      await shop.till.adopt({ reference: 'basket-7', serialNumbers })
      expect(shop.told).toEqual(['basket-7 chargeback 10.00', 'basket-7 paid 10.00'])
      const { state, needsPerson } = await shop.till.payment('basket-7')
      expect([state, needsPerson]).toEqual(['returned', undefined])
    },
  })
})

it('a return that a later one covers is told once its number is looked up, and the later one is not told again', async () => {
  await restore(places.memory, {
    before: buys,
    async lost({ gateway }) {
      const { orderId = '' } = gateway.orders.find('basket-7') ?? {}
      const made = { action: 'reverse', orderId, toldApartBy: 'serial-number' } as const
      for (const amount of ['3.00', '4.00']) gateway.act({ ...made, amount })
      await gateway.callbacks.idle()
    },
    async restored(shop) {
      const { orderId = '', stages = [] } = shop.gateway.orders.find('basket-7') ?? {}
      const returned = () => shop.told.filter(each => each.includes('returned'))
      await shop.till.adopt({ reference: 'basket-7', orderId })
      expect(returned()).toEqual(['basket-7 returned 4.00'])
      const serialNumbers = stages.slice(1).flatMap(each => each.serialNumbers[0] ?? [])
      await shop.till.adopt({ reference: 'basket-7', orderId, serialNumbers })
      expect(returned().toSorted()).toEqual(['basket-7 returned 3.00', 'basket-7 returned 4.00'])
      expect((await shop.till.payment('basket-7')).totals).toMatchObject({ returned: '7.00' })
    },
  })
})

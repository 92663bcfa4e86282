/** Orders that code of the merchant's own has sent, and that the till takes up. */
import { createClient } from '@tillkit/client'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { AdoptRequest } from '../../src/index.js'
import type { Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import type { Engine } from './engines.js'
import { basket, card, openShop, type Shop } from './shop.js'

const sale = { amount: '10.00', currency: 'EUR', email: 'joan@customer.example', ...card } as const

/** The merchant's own code sends an order, without a store. */
export async function byHand(
  shop: Pick<Shop, 'gateway' | 'origin'>,
  clientOrderId: string,
  { hold = false, callbacks = false, cvv2 = card.cvv2 } = {},
) {
  const client = createClient(shop.gateway.clientOptions)
  const more = callbacks
    ? { serverCallbackUrl: `${shop.origin}/payments/callback`, notifyUrl: `${shop.origin}/payments/callback` }
    : {}
  const request = { ...sale, ...more, cvv2, clientOrderId, redirectUrl: 'https://shop.example/' }
  const { orderId } = await (hold ? client.preauth(request) : client.sale(request))
  await client.close()
  return orderId
}

/** Such an order, to be taken up into a payment. */
export const web: AdoptRequest = { reference: 'basket-7', clientOrderId: 'web-117' }

/** Defines the tests of orders that are taken up in a kind of store. */
export const adoptsWhatWasMadeBefore = (engine: Engine): void => {
  describe(`an order that was made before the till, in ${engine.name}`, () => {
    const opened = () => {
      const gateway = createFakeGateway()
      return openShop({ gateway, store: engine.open(gateway.clientOptions.clock) as Store<never> })
    }

    it.each(['web-117', 'basket-7'])(
      'under the id %s is paid: it is told once, and no second one is opened',
      async clientOrderId => {
        const shop = await opened()
        const orderId = await byHand(shop, clientOrderId)
        await passes(shop)
        const request = { reference: 'basket-7', clientOrderId, orderId }
        expect(await shop.till.adopt(request)).toMatchObject({
          kind: 'adopted',
          again: false,
          payment: {
            reference: 'basket-7',
            state: 'paid',
            totals: { captured: '10.00' },
            orders: [{ clientOrderId, orderId }],
          },
        })
        expect(shop.told).toEqual(['basket-7 paid 10.00'])
        expect(await shop.till.adopt(request)).toMatchObject({ kind: 'adopted', again: true })
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect(await shop.till.return('basket-7')).toMatchObject({ kind: 'sent' })
        await passes(shop)
        expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
        expect(shop.books()).toEqual([`${clientOrderId} sale approved, reversal approved`])
      },
    )

    it('and is under way is waited for, and told when it has ended', async () => {
      const shop = await opened()
      await byHand(shop, 'web-117', { hold: true })
      expect(await shop.till.adopt(web)).toMatchObject({ kind: 'adopted' })
      expect((await shop.till.pay({ ...basket, hold: true })).kind).not.toBe('go')
      await passes(shop)
      await passes(shop)
      expect(shop.told).toEqual(['basket-7 held 10.00'])
      await shop.till.capture('basket-7')
      await passes(shop)
      expect(shop.told.at(-1)).toBe('basket-7 paid 10.00')
      expect(shop.books()).toEqual(['web-117 preauth approved, capture approved'])
    })
  })
}

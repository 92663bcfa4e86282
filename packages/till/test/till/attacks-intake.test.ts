/** Callbacks that come at the wrong moment, again, or from somebody who has seen one: none is lost, and none takes anything from another one. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { minute, passes } from './acts.js'
import { orderOf } from './outsider.js'
import { byCard, openShop, type Shop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

/** A shop whose card was charged, after its callback was answered. */
async function chargedShop(options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  await shop.till.pay(byCard)
  await shop.gateway.callbacks.idle()
  return shop
}

/** Somebody sends a callback of the basket, signed as the gateway signs: sha1(status + orderid + merchant_order + key). */
async function calls(shop: Shop, type: string, status = 'approved'): Promise<number> {
  const { orderId, clientOrderId } = orderOf(shop)
  const { controlKey } = shop.gateway.clientOptions
  const control = createHash('sha1').update(`${status}${orderId}${clientOrderId}${controlKey}`).digest('hex')
  const items = { status, orderid: orderId, merchant_order: clientOrderId, control, type }
  return (await fetch(`${shop.origin}/payments/callback?${new URLSearchParams(items)}`)).status
}

/** The money is charged back, and the gateway does not call any more. */
async function chargedBack(shop: Shop) {
  shop.gateway.faults.arm({ fault: 'callback-never', times: 99 })
  shop.gateway.act({ orderId: orderOf(shop).orderId, action: 'charge-back' })
  for (let round = 0; round < 4; round += 1) await passes(shop, minute)
}

describe('a callback that status does not show yet, and that does not come again', () => {
  it('is asked about again though an earlier one is sent again meanwhile', async () => {
    const shop = await chargedShop()
    expect(await calls(shop, 'chargeback')).toBe(503)
    await shop.gateway.clock.advance(minute)
    expect(await calls(shop, 'sale')).toBe(200)
    await chargedBack(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })

  it('is asked about again though the handler failed meanwhile', async () => {
    watchWarnings()
    const handler = { fails: true }
    const shop = await chargedShop({
      onOutcome: () => {
        if (handler.fails) throw new Error('The database is down.')
      },
    })
    expect(await calls(shop, 'chargeback')).toBe(503)
    handler.fails = false
    for (let round = 0; round < 3; round += 1) await passes(shop, minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    await chargedBack(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 10.00'])
  })
})

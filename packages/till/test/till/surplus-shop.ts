/** Shops in which two orders of a payment have brought money. */
import { createFakeGateway } from '@tillkit/testing'
import { expect } from 'vitest'
import { basket, openShop, type Shop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

/** Two forms of one payment, over 10.00 and then 12.00. */
export async function openForms(shop: Pick<Shop, 'till'>, hold = false) {
  const first = await shop.till.pay({ ...basket, hold })
  const second = await shop.till.pay({ ...basket, hold, amount: '12.00' })
  return { first: first.address, second: second.address }
}

/** The customer pays 12.00, and then the first form, over 10.00, which is told as surplus. */
export async function paysBoth(shop: Shop, hold = false) {
  const { first, second } = await openForms(shop, hold)
  await shop.customerPays(second)
  await shop.customerPays(first)
  await shop.gateway.callbacks.idle()
}

export const surplusShop = (options: ShopOptions<never> = {}) =>
  openShop({ replaceOpenForm: true, surplus: 'return', ...options })

/** A shop whose surplus is told, and whose wish to give it back could not be sent yet. */
export async function owingShop({ gateway = createFakeGateway(), ...options }: ShopOptions<never> = {}) {
  await gateway.listen()
  const shop: Shop = await surplusShop({
    ...options,
    gateway,
    accounts: [{ ...gateway.clientOptions, retries: 0 }],
    onOutcome: ({ kind }) => {
      if (kind === 'surplus') shop.gateway.faults.arm({ fault: 'refuse-connection', times: 99 })
    },
  })
  const warned = watchWarnings()
  await paysBoth(shop)
  await shop.till.tick()
  shop.gateway.faults.clear()
  expect(shop.told).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00'])
  expect(returnsOf(shop)).toEqual([])
  return { shop, warned }
}

/** Returns that arrived at the gateway: of which order, in their order. */
export const returnsOf = ({ gateway }: Pick<Shop, 'gateway'>, name = 'return') =>
  gateway.calls(name).map(({ fields }) => fields.find(([field]) => field === 'client_orderid')?.[1] ?? '')

export const orderId = ({ gateway }: Pick<Shop, 'gateway'>, clientOrderId: string) =>
  gateway.orders.find(clientOrderId)?.orderId ?? ''

export const bothKept = ['basket-7 sale approved', 'basket-7.2r sale approved']
export const laterReturned = ['basket-7 sale approved, reversal approved', 'basket-7.2r sale approved']
export const paidReturned = ['basket-7 sale approved', 'basket-7.2r sale approved, reversal approved']
export const toldAll = ['basket-7 paid 12.00', 'basket-7 surplus 10.00', 'basket-7 returned 10.00']

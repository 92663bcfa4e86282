/** Steps and counts of the tests of changes. */
import { expect } from 'vitest'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'

export const minute = 60_000

/** Longer than any request can be on its way. */
export const quiet = 3 * minute

/** Two persons, and why they decide. */
export const ada = { who: 'ada', why: 'ticket 4711' }
export const bob = { who: 'bob', why: 'ticket 4712' }

/** Time passes, callbacks come, and the till works once. */
export async function passes(shop: Pick<Shop, 'gateway' | 'till'>, milliseconds = quiet) {
  await shop.gateway.clock.advance(milliseconds)
  await shop.gateway.callbacks.idle()
  await shop.till.tick()
  await shop.gateway.callbacks.idle()
}

/** A shop whose basket is paid, or held, on the gateway's form. What was told of that is forgotten. */
export async function paidShop(hold = false, options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  await shop.customerPays((await shop.till.pay({ ...basket, hold })).address)
  return told(shop, hold)
}

/** As `paidShop`, by a card that the shop has taken: that takes half of the time. */
export async function chargedShop(hold = false, options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  await shop.till.pay({ ...byCard, hold })
  return told(shop, hold)
}

async function told(shop: Shop, hold: boolean) {
  await shop.gateway.callbacks.idle()
  expect(shop.told.splice(0)).toEqual([`basket-7 ${hold ? 'held' : 'paid'} 10.00`])
  return shop
}

/** The customer holds the money of the basket. */
export async function holds(shop: Pick<Shop, 'till' | 'gateway'>, reference = 'basket-7') {
  await shop.till.pay({ ...byCard, reference, hold: true })
  await shop.gateway.callbacks.idle()
}

/** Each stage that the gateway has, with its amount. */
export const stages = ({ gateway }: Pick<Shop, 'gateway'>, reference = 'basket-7') =>
  (gateway.orders.find(reference)?.stages ?? []).map(({ stage, status, amount }) => `${stage} ${amount} ${status}`)

/** How often the gateway was asked for it. */
export const sent = ({ gateway }: Pick<Shop, 'gateway'>, name: string) => gateway.calls(name).length

/** The amounts that were asked for; `whole` where none was named. */
export const amountsSent = ({ gateway }: Pick<Shop, 'gateway'>, name: string) =>
  gateway.calls(name).map(({ fields }) => fields.find(([field]) => field === 'amount')?.[1] ?? 'whole')

export type Handler = NonNullable<ShopOptions<never>['onOutcome']>

/** Captures each hold afterwards. */
export const capturesHolds: Handler = ({ kind }, { afterwards }) => {
  if (kind === 'held') afterwards.capture()
}

/** `till.pay`, by what the payment is now: the rows of CONTRIBUTING.md that no other file here has. Counted in the gateway's books. */
import { createClient } from '@tillkit/client'
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway, testCard } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { minute, paidShop, passes, quiet, sent } from './acts.js'
import { basket, byCard, openShop, type Shop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const orderId = (shop: Shop) => shop.gateway.orders.find('basket-7')?.orderId ?? ''

it.each([
  ['gives the same form', false, 1],
  ['opens the next order, where the merchant replaces forms', true, 2],
])('till.pay, the time of an untouched form is over: %s', async (_, replaceOpenForm, forms) => {
  const shop = await openShop({ replaceOpenForm })
  const first = await shop.till.pay(basket)
  await shop.gateway.clock.advance(31 * minute)
  const again = await shop.till.pay(basket)
  expect([again.kind, again.address === first.address]).toEqual(['go', !replaceOpenForm])
  expect([sent(shop, 'saleForm'), sent(shop, 'status')]).toEqual([forms, 1])
})

it('till.pay, 3DS under way: leads on to the same 3DS, and sends no second sale', async () => {
  const shop = await openShop()
  const strict = { ...byCard, creditCardNumber: testCard, cvv2: '321' }
  const first = await shop.till.pay(strict)
  const again = await shop.till.pay(strict)
  expect([first.kind, again.kind]).toEqual(['go', 'go'])
  expect(new URL(again.address).pathname.split('/').slice(0, 3)).toEqual(['', 'payments', '3ds'])
  expect(sent(shop, 'sale')).toBe(1)
})

it('till.pay, unknown: waits, and needs a person after "patience", without a second order', async () => {
  const shop = await openShop()
  watchWarnings()
  shop.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
  expect((await shop.till.pay(byCard)).kind).toBe('wait')
  await passes(shop)
  expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'unknown', needsPerson: undefined })
  await passes(shop, 24 * 60 * minute)
  expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'unknown', needsPerson: expect.any(String) })
  expect((await shop.till.pay(byCard)).kind).toBe('wait')
  expect(sent(shop, 'sale')).toBe(1)
})

it('till.pay, declined on a form that takes another card: gives the same form, until its time is over', async () => {
  const gateway = createFakeGateway()
  await gateway.listen()
  const shop = await openShop({
    gateway,
    accounts: [{ ...gateway.clientOptions, profile: defineProfile({ formRetries: true }) }],
  })
  const { address } = await shop.till.pay(basket)
  await shop.customerPays(address, '101')
  expect((await shop.till.pay(basket)).address).toBe(address)
  await gateway.clock.advance(31 * minute)
  expect((await shop.till.pay(basket)).kind).toBe('go')
  expect(sent(shop, 'saleForm')).toBe(2)
})

/** A gateway that refuses so many forms, and then opens them. */
const refusing = (shop: Shop, times: number) => {
  let left = times
  shop.gateway.handle({
    saleForm: () => {
      left -= 1
      return left < 0 ? undefined : { httpStatus: 400, type: 'validation-error', errorMessage: 'no', errorCode: '1' }
    },
  })
}

it('till.pay, refused: opens the next order', async () => {
  const shop = await openShop()
  refusing(shop, 1)
  await expect(shop.till.pay(basket)).rejects.toThrow('no')
  expect((await shop.till.pay(basket)).kind).toBe('go')
  expect(shop.books()).toEqual(['basket-7.2r sale processing'])
})

it('till.pay, ten orders have failed: sends no eleventh', async () => {
  const shop = await openShop()
  refusing(shop, 20)
  for (let nth = 0; nth < 10; nth += 1) await shop.till.pay(basket).catch(() => undefined)
  await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_TOO_MANY_ORDERS' })
  expect(sent(shop, 'saleForm')).toBe(10)
})

it('till.pay, captured in part and returned in part: is over, with totals, and nothing is sent', async () => {
  const shop = await paidShop(true)
  const over = { kind: 'over', payment: { totals: { captured: '6.00' } } }
  await shop.till.capture('basket-7', { amount: '6.00', key: 'parcel-1' })
  await passes(shop)
  expect(await shop.till.pay({ ...basket, hold: true })).toMatchObject(over)
  await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
  await passes(shop)
  expect(await shop.till.pay({ ...basket, hold: true })).toMatchObject({
    kind: 'over',
    payment: { totals: { captured: '6.00', returned: '2.00' } },
  })
  expect([shop.books().length, sent(shop, 'preauthForm')]).toEqual([1, 1])
})

it('till.pay, hold released without the till, as by its expiry: opens the next order', async () => {
  const shop = await paidShop(true)
  await createClient(shop.gateway.clientOptions).void({ clientOrderId: 'basket-7', orderId: orderId(shop) })
  await shop.till.ask('basket-7')
  expect((await shop.till.pay({ ...basket, hold: true })).kind).toBe('go')
  expect(shop.books()).toEqual(['basket-7 preauth approved, void approved', 'basket-7.2r preauth processing'])
})

it.each(['returned in full', 'charged back in full'])(
  'till.pay, %s: is refused as over, and nothing is sent',
  async how => {
    const shop = await paidShop()
    if (how === 'returned in full') await shop.till.return('basket-7')
    else shop.gateway.act({ action: 'charge-back', orderId: orderId(shop) })
    await passes(shop)
    await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_PAYMENT_OVER' })
    expect(sent(shop, 'saleForm')).toBe(1)
  },
)

it('till.pay, an approval that the gateway took back: needs a person, and nothing is sent', async () => {
  const shop = await paidShop()
  shop.gateway.act({ action: 'correct', status: 'declined', orderId: orderId(shop) })
  await passes(shop)
  await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
  expect(sent(shop, 'saleForm')).toBe(1)
})

it('the waiting page looks at the store and never asks the gateway, and leads on to the form once it is there', async () => {
  const shop = await openShop()
  shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
  const { address } = await shop.till.pay(basket)
  const asked = sent(shop, 'status')
  for (let look = 0; look < 3; look += 1) expect((await fetch(address)).status).toBe(200)
  expect(sent(shop, 'status')).toBe(asked)
  await passes(shop, quiet)
  const form = await shop.till.pay(basket)
  const page = await fetch(address)
  expect(await page.text()).toContain(form.address)
})

it('an earlier order is asked about again before "paid" is told, and surplus is told with it', async () => {
  const shop = await openShop()
  await shop.customerPays((await shop.till.pay(basket)).address, '101')
  const second = await shop.till.pay(basket)
  await shop.gateway.callbacks.idle()
  shop.gateway.faults.arm('callback-never')
  shop.gateway.act({ action: 'correct', status: 'approved', orderId: orderId(shop) })
  await shop.customerPays(second.address)
  await shop.gateway.callbacks.idle()
  expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00', 'basket-7 surplus 10.00'])
})

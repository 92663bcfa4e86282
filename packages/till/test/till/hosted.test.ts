import { createFakeClock, createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { basket, openShop } from './shop.js'

describe('a hosted sale', () => {
  it('till.pay, new: leads the customer to the form and back to the shop, and tells the merchant once', async () => {
    const shop = await openShop()
    const { kind, address } = await shop.till.pay(basket)
    expect(kind).toBe('go')
    const page = await shop.customerPays(address)
    expect(page.url.pathname).toBe('/orders/basket-7')
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale approved'])
    expect(await shop.till.payment('basket-7')).toMatchObject({
      state: 'paid',
      amount: '10.00',
      currency: 'EUR',
      totals: { captured: '10.00' },
    })
  })

  it('till.pay, form open: gives the same form again, also for twenty presses at once', async () => {
    const shop = await openShop()
    const steps = await Promise.all(Array.from({ length: 20 }, () => shop.till.pay(basket)))
    expect(new Set(steps.map(({ address }) => address)).size).toBe(1)
    expect((await shop.till.pay(basket)).address).toBe(steps[0]?.address)
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })

  it('till.pay, pressed twice: the second press gets the form the moment it is there, though no time passes', async () => {
    const gateway = createFakeGateway({ clock: createFakeClock({ base: () => Date.UTC(2026, 0, 5) }) })
    const shop = await openShop({ gateway, wait: gateway.clock.wait })
    const [first, second] = await Promise.all([shop.till.pay(basket), shop.till.pay(basket)])
    expect([first.kind, second]).toEqual(['go', first])
    expect(shop.gateway.calls('saleForm')).toHaveLength(1)
  })

  it('till.pay, paid: is over for the same amount, and refuses another one', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    expect(await shop.till.pay(basket)).toMatchObject({
      kind: 'over',
      address: `${shop.origin}/orders/basket-7`,
      payment: { state: 'paid' },
    })
    await expect(shop.till.pay({ ...basket, amount: '11.00' })).rejects.toMatchObject({ code: 'ERR_OTHER_AMOUNT' })
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it('gives an absolute address, whatever the payment is', async () => {
    const shop = await openShop()
    const [form, unanswered] = [await shop.till.pay(basket), { ...basket, reference: 'basket-8' }]
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    const waiting = await shop.till.pay(unanswered)
    await shop.customerPays(form.address)
    const steps = [form, waiting, await shop.till.pay(basket)]
    const places = steps.map(({ kind, address }) => [kind, new URL(address).origin])
    expect(places).toEqual([
      ['go', new URL(shop.gateway.clientOptions.baseUrl).origin],
      ['wait', shop.origin],
      ['over', shop.origin],
    ])
    expect((await fetch(waiting.address)).status).toBe(200)
  })

  it('till.pay, declined: the customer is shown how to try another card, and that one is charged', async () => {
    const shop = await openShop()
    const page = await shop.customerPays((await shop.till.pay(basket)).address, '101')
    expect(page.url.pathname).toMatch(/^\/payments\/payment\//)
    expect(page.html).toContain('Try another card')
    expect(page.html).toContain('action="/orders/basket-7/pay"')
    const again = await shop.till.pay(basket)
    expect(again).toMatchObject({ kind: 'go' })
    expect((await shop.customerPays(again.address)).url.pathname).toBe('/orders/basket-7')
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale declined', 'basket-7.2r sale approved'])
  })

  it.each(['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'orders/7'])(
    'never leads to %s, whatever "returnTo" returns',
    async path => {
      const shop = await openShop({ returnTo: () => path })
      await expect(shop.till.pay(basket)).rejects.toThrow('"returnTo" of createTill must return a path of this site')
      expect(shop.books()).toEqual([])
    },
  )
})

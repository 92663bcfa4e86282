import { payAsCustomer, silentMethodCard, testCard, threeDSecure1Card } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { openCardShop } from './card-shop.js'

const press = (address: string, fields: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

describe('payAsCustomer of @tillkit/testing', () => {
  it.each([
    ['approves', { cvv2: '123' }, 'paid'],
    ['asks for a password', { cvv2: '321' }, 'paid'],
    ['is given a wrong password', { cvv2: '321', password: 'guess' }, 'declined'],
    ['declines', { cvv2: '116' }, 'declined'],
    ['is left with "Cancel"', { cancels: true }, 'declined'],
  ])('comes back from a hosted form that %s', async (_case, input, view) => {
    await using shop = await openCardShop()
    const page = await payAsCustomer(await press(`${shop.origin}/hosted`), { gateway: shop.gateway, ...input })
    expect([page.status, page.url.href]).toEqual([200, `${shop.origin}/orders/order-1?view=${view}`])
    expect(page.html).toBe(`<h1>Order ${view}</h1>`)
    expect(shop.told).toEqual([view])
    expect(shop.rejections).toEqual([])
  })

  it.each([
    ['3DS 2', testCard, {}, 'paid'],
    ['3DS 2 with a wrong code', testCard, { password: 'guess' }, 'declined'],
    ['3DS 1.0.2', threeDSecure1Card, {}, 'paid'],
    ['3DS 1.0.2 with a wrong code', threeDSecure1Card, { password: 'guess' }, 'declined'],
  ])('goes through %s', async (_case, card, input, view) => {
    await using shop = await openCardShop()
    const sent = await press(`${shop.origin}/pay`, { card, cvv: '321' })
    const page = await payAsCustomer(sent, { gateway: shop.gateway, ...input })
    expect(page.url.href).toBe(`${shop.origin}/orders/order-1?view=${view}`)
    expect([shop.told, shop.problems]).toEqual([[view], []])
  })

  it('goes through 3DS that the gateway runs', async () => {
    await using shop = await openCardShop({ gateway: { threeDSecure: 'gateway' } })
    const sent = await press(`${shop.origin}/pay`, { card: testCard, cvv: '321' })
    const page = await payAsCustomer(sent, { gateway: shop.gateway })
    expect(page.url.href).toBe(`${shop.origin}/orders/order-1?view=paid`)
  })

  it('uploads what the bank has notified of, and stays where it does not', async () => {
    await using shop = await openCardShop()
    await payAsCustomer(await press(`${shop.origin}/pay`, { card: testCard, cvv: '321' }), { gateway: shop.gateway })
    const [call] = shop.gateway.calls('uploadMethodUrlResult')
    expect(Object.fromEntries(call?.fields ?? [])).toMatchObject({ threeDSCompInd: 'Y' })
    const sent = await press(`${shop.origin}/pay`, { card: silentMethodCard, cvv: '321' })
    const page = await payAsCustomer(sent, { gateway: shop.gateway })
    expect(page.url.pathname).toMatch(/^\/3ds\//)
    expect(page.html).toContain('Preparing your payment')
  })

  it('ends at a page that waits for the gateway', async () => {
    await using shop = await openCardShop({ gateway: { processingTime: 60_000 } })
    const sent = await press(`${shop.origin}/pay`, { card: testCard, cvv: '123' })
    const page = await payAsCustomer(sent, { gateway: shop.gateway })
    expect(page.html).toContain('Checking your payment')
    await shop.gateway.clock.advance(60_000)
    expect((await payAsCustomer(page.url, { gateway: shop.gateway })).url.search).toBe('?view=paid')
  })
})

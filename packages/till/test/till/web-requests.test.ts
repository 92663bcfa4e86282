/** The till's pages by `till.fetch`, which takes requests of the Web. A real Hono and a real Next.js are in test-projects/. */
import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { orderOf, returnTokenOf } from './outsider.js'
import { basket, card, openShop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const at = (path: string, init?: RequestInit) => new Request(new URL(path, 'https://inside.example:8443'), init)

describe('till.fetch', () => {
  it('tells the outcome of a callback, whatever host the request names', async () => {
    const shop = await openShop()
    const { address } = await shop.till.pay(basket)
    await shop.customerPays(address)
    shop.told.length = 0
    const { controlKey } = shop.gateway.clientOptions
    const genuine = signedCallback({ controlKey, status: 'approved', ...orderOf(shop) })
    const answer = await shop.till.fetch(at(genuine.url('https://shop.example/payments/callback').href))
    expect([answer?.status, await answer?.text()]).toEqual([200, 'OK'])
  })

  it.each(['', '/', '//'])('takes back a customer whose address ends with %j', async end => {
    const shop = await openShop()
    await shop.till.pay(basket)
    const answer = await shop.till.fetch(at(`/payments/return/${returnTokenOf(shop)}${end}`))
    expect([answer?.status, answer?.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/payments/payment/'),
    ])
    const overSockets = await fetch(`${shop.origin}/payments/return/${returnTokenOf(shop)}${end}`, {
      redirect: 'manual',
    })
    expect(overSockets.status).toBe(303)
  })

  it('has no other pages', async () => {
    const { till } = await openShop()
    expect(await till.fetch(at('/payments/nothing'))).toBeUndefined()
    expect(await till.fetch(at('/elsewhere'))).toBeUndefined()
  })

  it('refuses 3DS without the address of the customer, and says where the framework has it', async () => {
    const shop = await openShop()
    const { address } = await shop.till.pay({ ...basket, ...card, cvv2: '321' })
    const errors: unknown[] = []
    const forged = { headers: { 'x-forwarded-for': '198.51.100.66', 'x-real-ip': '198.51.100.66' } }
    const answer = await shop.till.fetch(at(new URL(address).pathname, forged), {
      onError: error => errors.push(error),
    })
    expect([answer?.status, await answer?.text()]).toEqual([500, ''])
    expect(String(errors)).toMatch(/^TypeError: .*getConnInfo\(context\)\.remote\.address.*Next\.js/)
    const warned = watchWarnings()
    await shop.till.fetch(at(new URL(address).pathname, forged))
    expect(warned('WARN_PAGE_FAILED')).toEqual([expect.stringContaining('remoteAddress')])
    const page = await shop.till.fetch(at(new URL(address).pathname, forged), { remoteAddress: '203.0.113.7' })
    expect([page?.status, await page?.text()]).toEqual([200, expect.stringContaining('<form')])
  })
})

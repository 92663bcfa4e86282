/** Requests that no browser and no gateway makes, and addresses that no gateway has: they change, tell and show nothing. */

import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/rules/kept/entry.js'
import type { Store } from '../../src/store/store.js'
import { callbackPath, everything, openedShop, orderOf, returnTokenOf, send, waitingPath } from './outsider.js'
import { basket } from './shop.js'

describe('an odd request', () => {
  it.each([
    '/payments/payment/%2e%2e/',
    '/payments/payment/%2e%2e%2fcallback',
    '/payments/payment/../callback/x',
    '/payments//payment/x',
    '/payments/payment//x',
    '/payments/payment/',
    '/payments/payment%2Fx',
    '/payments/return/',
    '/payments/return/%00',
    '/payments/3ds',
    '/payments/3ds//',
    '/payments/__proto__/x',
    '/payments/constructor',
    '/payments/hasOwnProperty/x',
    '/payments/callback/x',
    '/payments/CALLBACK',
    '/payments/',
    '/payments/?payment=x',
    '/payments/%',
    `/payments/payment/x?look=${'9'.repeat(8_000)}`,
  ])('finds nothing at %.60s', async path => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const before = await everything(shop)
    const { status, text } = await send(shop, path)
    expect([status >= 400, text.includes('basket')]).toEqual([true, false])
    expect(await everything(shop)).toEqual(before)
  })

  it('changes nothing by a method that is not for it', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const page = await waitingPath(shop)
    const { controlKey } = shop.gateway.clientOptions
    const genuine = callbackPath(signedCallback({ controlKey, status: 'approved', ...orderOf(shop) }))
    const before = await everything(shop)
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND'])
      for (const path of [page, genuine]) {
        const { text, location = `${page}?back=1` } = await send(shop, path, { method })
        expect([method, text.includes('basket'), location.startsWith('/payments/payment/')]).toEqual([
          method,
          false,
          true,
        ])
      }
    expect(await everything(shop)).toEqual(before)
  })

  it('changes nothing by a body or a query without an end', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const before = await everything(shop)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `status=approved&${'a=b&'.repeat(50_000)}`
    expect((await send(shop, '/payments/callback', { method: 'POST', headers, body })).status).toBe(403)
    expect((await send(shop, `/payments/callback?${'a=b&'.repeat(3_000)}`)).status).toBe(403)
    expect(await everything(shop)).toEqual(before)
  })

  it('is led nowhere by a foreign host', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', referer: 'https://evil.example/' }
    const page = await waitingPath(shop)
    const shown = await send(shop, `${page}?go=0&look=1&returnTo=//evil.example&payAgain=//evil.example`, { headers })
    expect([shown.status, shown.text.includes('evil'), shown.location]).toEqual([200, false, undefined])
    await shop.customerPays((await shop.till.pay(basket)).address)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const path = `/payments/return/${returnTokenOf(shop)}?returnTo=//evil.example`
      const { text, location } = await send(shop, path, { headers, method })
      expect([method, text, location?.startsWith('/payments/payment/'), location?.includes('evil')]).toEqual([
        method,
        '',
        true,
        false,
      ])
    }
    expect((await send(shop, `${page}?returnTo=//evil.example`, { headers })).location).toBe('/orders/basket-7')
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('shows no number that it did not count itself', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const page = await waitingPath(shop)
    for (const since of ['-5', '1e9', 'x"><script>', '99999999999999999999', '0x10', '9'.repeat(15)]) {
      const { text } = await send(shop, `${page}?since=${encodeURIComponent(since)}&go=2&back=javascript:alert(1)`)
      const counted = Number(/since=(\d+)/.exec(text)?.[1])
      expect([counted <= shop.gateway.clock.now(), text.includes('script:'), text.includes('<script>')]).toEqual([
        true,
        false,
        false,
      ])
    }
  })
})

describe('a hostile address in the document of a payment', () => {
  it.each(['https://evil.example/form', 'javascript:alert(1)', '//evil.example', 'http://127.0.0.1.evil.example/'])(
    'is never led to: %s',
    async hostile => {
      const shop = await openedShop()
      await shop.till.pay(basket)
      const page = await waitingPath(shop)
      await edit(shop.store, document => document.replace(/"redirectUrl":"[^"]*"/, `"redirectUrl":"${hostile}"`))
      for (const query of ['', '?go=1', '?go=1&look=3']) {
        const { status, text, location } = await send(shop, `${page}${query}`)
        expect([status, location, text.includes(hostile)]).toEqual([200, undefined, false])
      }
      const next = await shop.till.pay(basket).then(
        ({ address }) => address,
        error => String(error.code),
      )
      expect(next).not.toContain('evil')
      expect(shop.gateway.calls('saleForm')).toHaveLength(1)
    },
  )
})

/** Edits the one payment that a store has. */
async function edit(store: Store, change: (body: string) => string): Promise<void> {
  const { items } = await store.list({ limit: 10 })
  const stored = items.find(({ key }) => key.startsWith('payment/'))
  if (stored === undefined) throw new Error('There is no payment.')
  const body = change(stored.body)
  expect(body).not.toBe(stored.body)
  readDocument({ ...stored, body })
  await store.write(stored.key, { body, due: null, list: null }, { after: stored.writeId, id: 'edited' })
}

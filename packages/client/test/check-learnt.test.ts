/** What a check learns: the gateway's word for an order it never saw. Codes are those of the fake gateway, or a server's of this test. */

import { createHash } from 'node:crypto'
import { defaultProfile } from '@tillkit/protocol'
import { testControlKey } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { reply, startServer } from './gateway-server.js'
import { closeShops, minute, openShop, sale, unknown } from './resolving.js'

closeShops()

const unknowing = { profile: defaultProfile }

describe('a check', () => {
  it('learns the word for an order the gateway never saw, for every process on the store', async () => {
    const shop = await openShop(unknowing)
    expect(await shop.client.check()).toMatchObject({ verdict: 'ok', orderNeverSeen: '1' })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const other = shop.another({})
    await shop.gateway.clock.advance(15 * minute)
    expect(await other.resolve(attempt)).toMatchObject({ kind: 'cannot-tell-yet', reason: 'one-answer' })
    await shop.gateway.clock.advance(5 * minute)
    expect(await other.resolve(attempt)).toMatchObject({ kind: 'no-trace' })
    expect(shop.gateway.orders.list()).toEqual([])
  })

  it('teaches nothing to another login on the store', async () => {
    const shop = await openShop(unknowing)
    await shop.client.check()
    expect(await shop.store.list({ limit: 10 })).toMatchObject({ total: 1 })
    shop.gateway.faults.arm('drop')
    const other = shop.another({ login: 'another', name: 'shop' })
    const attempt = await unknown(other.sale(sale))
    await shop.gateway.clock.advance(24 * 60 * minute)
    const resolution = await other.resolve(attempt)
    expect(resolution).toMatchObject({ kind: 'cannot-tell-yet' })
    expect(resolution).not.toMatchObject({ reason: 'one-answer' })
  })

  it('gives way to the word of the profile', async () => {
    const shop = await openShop({})
    await shop.client.check()
    const own = shop.another({ profile: defaultProfile })
    expect((await own.check()).orderNeverSeen).toBe('4711')
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(15 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'one-answer' })
  })

  it('learns nothing with a wrong key', async () => {
    const shop = await openShop(unknowing)
    expect(await shop.another({ controlKey: 'wrong' }).check()).not.toHaveProperty('orderNeverSeen')
    expect(await shop.store.list({ limit: 10 })).toMatchObject({ total: 0 })
  })

  it.each([
    ['a gateway that refuses an endpoint that does not exist alike', 'orders of another endpoint'],
    ['one that says "too many requests" with that code', 'Too many requests'],
  ])('learns nothing from %s', async (_, message) => {
    const shop = await openShop(unknowing)
    const body = JSON.stringify({ type: 'validation-error', 'error-code': '1', 'error-message': message })
    const refused = reply({ status: 400, body })
    const signed = reply({ status: 401, body: '{"type":"validation-error","error-code":"401"}' })
    const server = await startServer((socket, request) => {
      const form = new URLSearchParams(request.body)
      const id = form.get('client_orderid') ?? ''
      const right = createHash('sha1')
        .update(`${form.get('login')}${id}${testControlKey}`)
        .digest('hex')
      const isOurs = form.get('control') === right
      return (isOurs ? refused : signed)(socket, request)
    })
    const client = shop.another({ baseUrl: server.baseUrl, privateKey: undefined })
    const report = await client.check({ schemes: ['control'] })
    expect(report.probes.filter(({ answer }) => answer === 'refused').length).toBeGreaterThan(1)
    expect(report).not.toHaveProperty('orderNeverSeen')
    await server.close()
  })
})

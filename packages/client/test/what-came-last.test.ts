/** After which answers nothing of a request can be on its way any more. */
import type { RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'
import { closeShops, minute, openShop, sale, unknown } from './resolving.js'

const { now, failures } = failingCalls()
closeShops()

describe('the end of an attempt', () => {
  it.each([
    ['a proxy’s page', { status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }],
    ['a proxy’s page with status 200', { type: 'text/html; charset=utf-8', body: '<h1>Welcome</h1>' }],
    ['JSON of another media type', { status: 504, type: 'application/json', body: '{"type":"error"}' }],
    [
      'a media type that only begins like the gateway’s',
      { status: 500, type: 'application/vnd.pay+json2', body: '{}' },
    ],
    ['an answer without one', { status: 504, type: null }],
  ])('does not take %s for the gateway’s answer', async (_, written) => {
    await failures(reply(written))
    expect(now.ends).toHaveLength(2)
    for (const end of now.ends) {
      expect(end).toMatchObject({ kind: 'unknown' })
      expect(end).not.toHaveProperty('connection')
    }
  })

  it.each([
    ['failure', { status: 500, body: '{"type":"error"}' }],
    ['failure in capitals', { status: 500, type: 'Application/VND.pay+JSON; charset=utf-8', body: '{"type":"error"}' }],
    ['redirect', { status: 307, headers: ['Location: /elsewhere'] }],
    ['broken record', { body: '{"type":' }],
  ])('takes a %s of the gateway’s own for its answer', async (_, written) => {
    await failures(reply(written))
    expect(now.ends).toMatchObject([
      { kind: 'unknown', connection: 'answered' },
      { kind: 'unknown', connection: 'answered' },
    ])
  })
})

describe('an attempt that a proxy answered', () => {
  it('has left no trace only once its caller says that nothing is on its way', async () => {
    const shop = await openShop()
    now.server.behave(reply({ status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }))
    const { baseUrl } = await unknown(shop.another({ baseUrl: now.server.baseUrl }).sale(sale))
    expect(baseUrl).toBe(now.server.baseUrl)
    // The same attempt at the gateway that is behind that proxy.
    await shop.rewrite(body => body.replace(baseUrl, shop.client.baseUrl))
    const attempt = shop.store.attempts()[0] as RememberedAttempt
    await shop.gateway.clock.advance(60 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
    expect(await shop.client.resolve(attempt, { connectionClosed: true })).toMatchObject({ reason: 'quiet-period' })
  })
})

/** What is made of "come back later": RFC 6585 section 4 (429), RFC 9110 sections 15.6.4 (503) and 10.2.3 (Retry-After). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { type Behaviour, reply, type WrittenReply } from './gateway-server.js'
import { expectedSale, ids, startWatching, type Watching } from './watching.js'

const { now, open, expectUnknown } = failingCalls()
const statusBody = '{"type":"status-response","status":"approved","merchant-order-id":"o-1","paynet-order-id":"77"}'
const later = (more: WrittenReply, seconds: string): Behaviour =>
  reply({ ...more, headers: [`Retry-After: ${seconds}`] })
const page = { type: 'text/html', body: '<h1>Later</h1>' }

describe('an answer that says come back later', () => {
  it.each<[string, WrittenReply, string]>([
    ['429 without a body', { status: 429, type: null }, '"too many requests" (HTTP 429)'],
    ['503 with a page', { status: 503, ...page }, '"service unavailable" (HTTP 503)'],
    ['503 with the record of an error', { status: 503, body: '{"type":"error"}' }, '"service unavailable" (HTTP 503)'],
  ])('leaves the outcome unknown and says so: %s', async (_, written, words) => {
    const { sale, status } = await expectUnknown(later(written, '120'), 'ERR_GATEWAY_FAILURE')
    expect(sale).toMatchObject({ retryAfter: 120, cause: { retryAfter: 120 } })
    expect(status).toMatchObject({ retryAfter: 120 })
    expect(status.message).toContain(`answered the status request of order "o-1" with ${words}.`)
    expect(status.message.includes('a proxy or another server may have answered')).toBe(written.body?.[0] !== '{')
    expect(status.message).toContain('It asks to wait 120 s before the next request.')
  })

  it('carries what it asks for also where the request was refused', async () => {
    now.server.behave(later({ status: 429, body: '{"type":"validation-error","error-message":"slow down"}' }, '7'))
    await expect(now.client.status({ clientOrderId: 'o-1' })).rejects.toMatchObject({
      code: 'ERR_REQUEST_REFUSED',
      retryAfter: 7,
    })
  })

  it('makes check() say that it can not tell, and not that no gateway is there', async () => {
    now.server.behave(later({ status: 429, ...page }, '7'))
    const { findings } = await now.client.check()
    expect(findings[0]).toMatchObject({ subject: 'baseUrl', verdict: 'cannot-tell' })
    expect(findings[0]?.explanation).toContain('HTTP 429')
  })
})

describe('an operation that reads', () => {
  it('is repeated no sooner than the answer asks for, and then spread by chance', async () => {
    const rest: Behaviour[] = [later({ status: 429, type: null }, '2'), later({ status: 503, ...page }, '3')]
    now.server.behave((socket, request) => (rest.shift() ?? reply({ body: statusBody }))(socket, request))
    const waits: number[] = []
    const client = open({ retries: 2, random: () => 0.5, wait: async milliseconds => void waits.push(milliseconds) })
    expect(await client.status({ clientOrderId: 'o-1' })).toMatchObject({ status: 'approved' })
    expect(waits).toEqual([2_125, 3_250])
    await client.close()
  })

  it('is not repeated where its time is over before', async () => {
    now.server.behave(later({ status: 503, ...page }, '31'))
    const client = open({ retries: 2, timeout: 30_000, wait: () => Promise.reject(new Error('it waited')) })
    await expect(client.status({ clientOrderId: 'o-1' })).rejects.toMatchObject({
      code: 'ERR_GATEWAY_FAILURE',
      retryAfter: 31,
    })
    expect(now.server.arrived).toHaveLength(1)
    await client.close()
  })
})

describe('awaitOutcome', () => {
  let watching: Watching
  beforeEach(async () => {
    watching = await startWatching()
  })
  afterEach(() => watching.close())

  it.each([
    ['60', 150_000, [60_000, 60_000, 30_000]],
    ['86400', 5_400_000, [3_600_000, 1_800_000]],
  ])(
    'asks no sooner than the answer asks for, but in an hour, and at the deadline: %s s',
    async (asked, time, pauses) => {
      const server = createServer((request, response) => {
        request.resume().on('end', () => response.writeHead(429, { 'Retry-After': asked }).end())
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const client = watching.another({ baseUrl: `http://127.0.0.1:${port}/paynet` })
      const question = { ...ids('77'), ...expectedSale }
      await client.awaitOutcome(question, { deadline: watching.clock.now() + time })
      expect(watching.pauses).toEqual(pauses)
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  )
})

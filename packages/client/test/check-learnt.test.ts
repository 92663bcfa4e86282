/** What a check learns: the gateway's word for an order it never saw. Codes are those of the fake gateway, or a server's of this test. */

import { createHash } from 'node:crypto'
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions, testControlKey } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, createClient } from '../src/index.js'
import { reply, startServer } from './gateway-server.js'
import { testKey } from './test-key.js'

/** A fake gateway over real HTTP. */
async function openGateway(options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const gateway = createFakeGateway(options)
  onTestFinished(() => gateway.close())
  await gateway.listen()
  return gateway
}

function open({ clientOptions }: FakeGateway, options: Partial<ClientOptions> = {}) {
  const client = createClient({ ...clientOptions, privateKey: testKey, ...options })
  onTestFinished(() => client.close())
  return client
}

describe('a check', () => {
  it('learns the word for an order the gateway never saw', async () => {
    const gateway = await openGateway()
    expect(await open(gateway).check()).toMatchObject({ verdict: 'ok', orderNeverSeen: '1' })
    const other = await openGateway({ profile: defineProfile({ orderNeverSeen: '4711' }) })
    expect(await open(other).check()).toMatchObject({ verdict: 'ok', orderNeverSeen: '4711' })
    expect(gateway.orders.list()).toEqual([])
  })

  it('learns nothing with a wrong key', async () => {
    const gateway = await openGateway()
    expect(await open(gateway, { controlKey: 'wrong' }).check()).not.toHaveProperty('orderNeverSeen')
  })

  it.each([
    ['a gateway that refuses an endpoint that does not exist alike', 'orders of another endpoint'],
    ['one that says "too many requests" with that code', 'Too many requests'],
  ])('learns nothing from %s', async (_, message) => {
    const gateway = await openGateway()
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
    const client = open(gateway, { baseUrl: server.baseUrl, privateKey: undefined })
    const report = await client.check({ schemes: ['control'] })
    expect(report.probes.filter(({ answer }) => answer === 'refused').length).toBeGreaterThan(1)
    expect(report).not.toHaveProperty('orderNeverSeen')
    await server.close()
  })
})

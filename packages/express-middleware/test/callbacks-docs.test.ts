/** The first example of docs/callbacks.md, run. */
import type { Server } from 'node:http'
import type { Client } from '@tillkit/client'
import type { FakeGateway } from '@tillkit/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { freePort } from './listening.js'
import { runExample } from './run-example.js'

interface Example {
  readonly server: Server
  readonly client: Client
  readonly gateway: FakeGateway
}

afterEach(() => vi.restoreAllMocks())

it('docs/callbacks.md shows a shop that sends the parcel once, and believes no forgery', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const port = String(await freePort())
  const goesOn = { 'server.close()': '', 'await client.close()': '', 'await gateway.close()': '' }
  const { server, client, gateway } = await runExample<Example>({
    page: 'docs/callbacks.md',
    exports: ['server', 'client', 'gateway'],
    replace: { '4280': port, ...goesOn },
  })
  try {
    expect(log.mock.calls.map(([what]) => what)).toEqual(['send the parcel', 'delivered'])
    const callback = `http://127.0.0.1:${port}/payments/callback`
    const forged = await fetch(`${callback}?status=approved&orderid=1&merchant_order=order-1&control=x`)
    expect([forged.status, warn.mock.calls[0]?.[0]]).toEqual([403, 'malformed-control'])
    await gateway.callbacks.resend(gateway.orders.list()[0]?.orderId ?? '')
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([200, 200])
    expect(log.mock.calls.filter(([what]) => what === 'send the parcel')).toHaveLength(1)
    expect(gateway.calls('sale').flatMap(({ warnings = [] }) => warnings)).toEqual([])
  } finally {
    server.close()
    await client.close()
    await gateway.close()
  }
})

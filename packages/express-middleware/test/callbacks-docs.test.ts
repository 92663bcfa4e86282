/** The first example of docs/callbacks.md, run. */
import type { Client } from '@tillkit/client'
import { type FakeGateway, testCard } from '@tillkit/testing'
import type { Express } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { runExample } from './run-example.js'
import { serve } from './serve.js'

interface Example {
  readonly app: Express
  readonly client: Client
  readonly gateway: FakeGateway
}

afterEach(() => vi.restoreAllMocks())

it('docs/callbacks.md shows a shop that sends the parcel once, and believes no forgery', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const exports = ['app', 'client', 'gateway']
  const { app, client, gateway } = await runExample<Example>({ page: 'docs/callbacks.md', exports })
  await using served = await serve(app)
  const serverCallbackUrl = `${served.origin}/payments/callback`
  try {
    const forged = await fetch(`${serverCallbackUrl}?status=approved&orderid=1&merchant_order=order-1&control=x`)
    expect([forged.status, warn.mock.calls[0]?.[0]]).toEqual([403, 'malformed-control'])
    const { orderId } = await client.sale({
      clientOrderId: 'order-1',
      amount: '10.00',
      currency: 'EUR',
      email: 'joan@customer.example',
      creditCardNumber: testCard,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2099',
      cvv2: '123',
      serverCallbackUrl,
    })
    await gateway.callbacks.idle()
    await gateway.callbacks.resend(orderId)
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([200, 200])
    expect(log.mock.calls.filter(([what]) => what === 'send the parcel')).toHaveLength(1)
  } finally {
    await client.close()
    await gateway.close()
  }
})

import { createClient } from '@tillkit/client'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { Rejection, VerifiedCallback, VisitResult } from '../src/core.js'
import { customerReturn, redirectToHostedForm, verifyCallback } from '../src/index.js'
import { payOnHostedPage } from './hosted-page.js'
import { type ExpressModule, oldestAndNewest, serve } from './serve.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]

/** A merchant, a gateway and the client between them. */
async function merchant(express: ExpressModule, form: 'saleForm' | 'preauthForm') {
  const gateway = createFakeGateway()
  const { baseUrl } = await gateway.listen()
  const client = createClient(gateway.clientOptions)
  const { controlKey } = gateway.clientOptions
  const callbacks: VerifiedCallback[] = []
  const rejections: Rejection[] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const results: VisitResult[] = []
  const app = express()
  const address = (path: string) => new URL(path, served.origin)

  app.post(
    '/pay',
    redirectToHostedForm({
      client,
      operation: () => form,
      order: () => ({
        clientOrderId: 'order-1',
        amount: '10.00',
        currency: 'EUR',
        email: 'joan@customer.example',
        serverCallbackUrl: address('/callback').href,
      }),
      returnUrl: () => address('/return'),
      redirectHosts: [baseUrl.host],
      stateSecrets,
    }),
  )
  app.all('/callback', verifyCallback({ controlKeys: controlKey, onRejected }), (_request, response) => {
    callbacks.push(response.locals.callback)
    response.sendStatus(200)
  })
  app.all(
    '/return/:state',
    customerReturn({
      stateSecrets,
      controlKeys: controlKey,
      client,
      clock: gateway.clock.now,
      redirectTo: result => {
        results.push(result)
        return `/orders/${result.clientOrderId}?view=${result.view}`
      },
      wait: async () => undefined,
      onRejected,
    }),
  )
  const served = await serve(app)
  return {
    gateway,
    callbacks,
    rejections,
    address,
    results,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await client.close()
      await gateway.close()
    },
  }
}

/** Presses the shop's button and follows to the hosted page. */
async function toHostedPage(shop: { address(path: string): URL }): Promise<string> {
  const response = await fetch(shop.address('/pay'), { method: 'POST', redirect: 'manual' })
  expect([response.status, await response.text()]).toEqual([303, ''])
  return response.headers.get('location') ?? ''
}

const comeBack = (action: string, fields: URLSearchParams) =>
  fetch(action, { method: 'POST', body: fields, redirect: 'manual' })

describe.each(oldestAndNewest)('a customer pays, under %s', (_version, express) => {
  it.each([
    ['saleForm', 'paid'],
    ['preauthForm', 'held'],
  ] as const)('with %s, and the order ends as %s', async (form, view) => {
    await using shop = await merchant(express, form)
    const { action, fields } = await payOnHostedPage(await toHostedPage(shop), '123')
    const back = await comeBack(action, fields)
    expect([back.status, back.headers.get('location')]).toEqual([303, `/orders/order-1?view=${view}`])
    expect(shop.results).toMatchObject([{ view, reply: { status: 'approved', amount: '10.00', currency: 'EUR' } }])
    await shop.gateway.callbacks.idle()
    expect(shop.callbacks).toMatchObject([
      {
        signed: { status: 'approved', clientOrderId: 'order-1', orderId: shop.results[0]?.reply?.orderId },
        keyLabel: 'key 1',
      },
    ])
    expect(shop.rejections).toEqual([])
  })

  it('is declined, and no browser that says approved changes that', async () => {
    await using shop = await merchant(express, 'saleForm')
    const { action, fields } = await payOnHostedPage(await toHostedPage(shop), '101')
    fields.set('status', 'approved')
    const back = await comeBack(action, fields)
    expect(back.headers.get('location')).toBe('/orders/order-1?view=declined')
    expect(shop.rejections.map(({ reason }) => reason)).toEqual(['control-mismatch'])
    await shop.gateway.callbacks.idle()
    expect(shop.callbacks).toMatchObject([{ signed: { status: 'declined' } }])
  })

  it('comes back and finds the same outcome each time', async () => {
    await using shop = await merchant(express, 'saleForm')
    const { action, fields } = await payOnHostedPage(await toHostedPage(shop), '123')
    for (const again of [() => comeBack(action, fields), () => fetch(action, { redirect: 'manual' })]) {
      expect((await again()).headers.get('location')).toBe('/orders/order-1?view=paid')
    }
  })

  it('comes back before paying and is told that it is being checked', async () => {
    await using shop = await merchant(express, 'saleForm')
    await toHostedPage(shop)
    const sent = Object.fromEntries(shop.gateway.calls('saleForm')[0]?.fields ?? [])
    const back = await fetch(sent.redirect_url ?? '', { redirect: 'manual' })
    expect(back.headers.get('location')).toBe('/orders/order-1?view=checking')
  })
})

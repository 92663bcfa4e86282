import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tillkit/client'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import express from 'express'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import type { Rejection } from '../src/core.js'
import { customerReturn, receiveCallbacks, redirectToHostedForm } from '../src/index.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const price = { amount: '18.00', currency: 'EUR' } as const

/** A merchant on loopback, as `localhost`: another site than the gateway's. */
async function openShop() {
  const gateway = createFakeGateway({ processingTime: 0 })
  const { baseUrl } = await gateway.listen()
  const client = createClient(gateway.clientOptions)
  const { controlKey } = gateway.clientOptions
  const rejections: Rejection[] = []
  const told: string[] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const app = express()
  app.use(helmet())
  app.post(
    '/hosted',
    redirectToHostedForm({
      client,
      stateSecrets,
      order: () => ({
        ...{ clientOrderId: 'order-1', ...price, email: 'joan@customer.example' },
        serverCallbackUrl: `${origin}/callback`,
      }),
      returnUrl: () => `${origin}/return`,
      redirectHosts: [baseUrl.host],
    }),
  )
  app.all(
    '/callback',
    receiveCallbacks({
      merchant: { controlKeys: controlKey, client },
      onStatus: ({ kind, isOver }) => void told.push(isOver(price) ? kind : 'another price'),
      onRejected,
    }),
  )
  app.all(
    '/return/:state',
    customerReturn({
      client,
      stateSecrets,
      controlKeys: controlKey,
      clock: gateway.clock.now,
      redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
      onRejected,
    }),
  )
  app.get('/orders/:id', ({ query }, response) => void response.send(`<h1>Order ${String(query.view)}</h1>`))
  const server = createServer(app).listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    gateway,
    rejections,
    told,
    origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await client.close()
      await gateway.close()
    },
  }
}

describe('payAsCustomer of @tillkit/testing', () => {
  it.each([
    ['approves', { cvv2: '123' }, 'paid'],
    ['asks for a password', { cvv2: '321' }, 'paid'],
    ['is given a wrong password', { cvv2: '321', password: 'guess' }, 'declined'],
    ['declines', { cvv2: '116' }, 'declined'],
    ['is left with "Cancel"', { cancels: true }, 'declined'],
  ])('comes back from a hosted form that %s', async (_case, input, view) => {
    await using shop = await openShop()
    const pressed = await fetch(`${shop.origin}/hosted`, { method: 'POST', redirect: 'manual' })
    const page = await payAsCustomer(pressed, { gateway: shop.gateway, ...input })
    expect([page.status, page.url.href]).toEqual([200, `${shop.origin}/orders/order-1?view=${view}`])
    expect(page.html).toBe(`<h1>Order ${view}</h1>`)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual([view])
    expect(shop.rejections).toEqual([])
  })
})

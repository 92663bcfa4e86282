/** A shop and a test gateway in containers: every address is plain http, none of them of this machine. */
import { createClient } from '@tillkit/client'
import { memoryStore } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway, threeDSecure1Card } from '@tillkit/testing'
import express from 'express'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { redirectToHostedForm, threeDSecure } from '../src/index.js'
import { serve } from './serve.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const money = { amount: '10.00', currency: 'EUR' }
const order = { clientOrderId: 'order-1', ...money, email: 'joan@customer.example' }
const returnUrl = 'http://shop:3000/return'

let gateway: FakeGateway
beforeEach(async () => {
  gateway = createFakeGateway({ processingTime: 0 })
  await gateway.listen({ publicOrigin: 'http://gateway:4010' })
})
afterEach(() => gateway.close())

/** The dispatcher stands for a network that knows the name of the gateway. */
const clientInContainer = (store = memoryStore()) =>
  createClient({ ...gateway.clientOptions, dispatcher: gateway.dispatcher, store })

describe('a client that is allowed plain http', () => {
  it('lets customers be sent to the hosted form and come back', async () => {
    const app = express()
    app.post('/pay', redirectToHostedForm({ client: clientInContainer(), returnUrl, stateSecrets, order: () => order }))
    await using served = await serve(app)
    const response = await fetch(`${served.origin}/pay`, { method: 'POST', redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^http:\/\/gateway:4010\/paynet\/form\//),
    ])
  })

  it('lets customers go through 3DS', async () => {
    const store = memoryStore()
    const client = clientInContainer(store)
    const address = 'http://shop:3000/3ds'
    const visit = { stateSecrets, controlKeys: 'any', onOutcome: () => undefined, redirectTo: () => '/' }
    const secure = threeDSecure({ client, store, address, ...visit })
    const redirectUrl = await secure.addressOf('order-1')
    expect(redirectUrl).toMatch(/^http:\/\/shop:3000\/3ds\//)
    const card = { creditCardNumber: threeDSecure1Card, cardPrintedName: 'J', expireMonth: '12', expireYear: '2099' }
    const { orderId } = await client.sale({ ...order, ...card, cvv2: '123', redirectUrl })
    const expected = { stages: ['sale'], ...money } as const
    const ended = await client.awaitOutcome({ order: { clientOrderId: 'order-1', orderId, stages: [] }, expected })
    expect(ended).toMatchObject({ kind: 'needs-customer', step: { kind: 'pares' } })
    expect(JSON.stringify(ended)).toContain('http://gateway:4010/paynet/3ds/')
    const app = express()
    app.use('/3ds', secure)
    await using served = await serve(app)
    const page = await fetch(redirectUrl.replace('http://shop:3000', served.origin))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('http://gateway:4010/paynet/3ds/')])
  })
})

describe('a client that is not', () => {
  it.each(['http://127.0.0.1:4010/paynet', 'https://gate.example/paynet', undefined])(
    'keeps customers to https: %s',
    baseUrl => {
      const { saleForm } = clientInContainer()
      const client = { saleForm, ...(baseUrl === undefined ? {} : { baseUrl }) }
      const make = () =>
        redirectToHostedForm({ client, redirectHosts: ['a'], returnUrl, stateSecrets, order: () => order })
      expect(make).toThrow('wherever "client" was made with "allowPlainHttp"')
    },
  )
})

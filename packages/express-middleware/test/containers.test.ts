/** A shop and a test gateway in containers: every address is plain http, none of them of this machine. */
import { createClient } from '@tillkit/client'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import express from 'express'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { redirectToHostedForm } from '../src/index.js'
import { serve } from './serve.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const order = { clientOrderId: 'order-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }
const returnUrl = 'http://shop:3000/return'

let gateway: FakeGateway
beforeEach(async () => {
  gateway = createFakeGateway({ processingTime: 0 })
  await gateway.listen({ publicOrigin: 'http://gateway:4010' })
})
afterEach(() => gateway.close())

/** The dispatcher stands for a network that knows the name of the gateway. */
const clientInContainer = () => createClient({ ...gateway.clientOptions, dispatcher: gateway.dispatcher })

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

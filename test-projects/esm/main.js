import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createClient } from '@tillkit/client'
import { verifyCallback } from '@tillkit/express-middleware'
import { operations } from '@tillkit/protocol'
import { controlItems } from '@tillkit/signing'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { createTill, memoryStore } from '@tillkit/till'
import express from 'express'

const gateway = createFakeGateway()
const client = createClient(gateway.clientOptions)
const reply = await client.payout({ clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', phone: '+447700900123' })
assert.equal((await client.status({ clientOrderId: 'p-1', orderId: reply.orderId })).status, 'approved')
assert.ok(Object.keys(operations).length >= 27)
assert.equal(controlItems.status.length, 3)
assert.equal(verifyCallback({ controlKeys: 'key' }).name, 'verifyCallbackHandler')

// Express receives the callback of a payment, and tells it to the till.
await gateway.listen()
const app = express()
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${server.address().port}`
const told = []
const onOutcome = ({ kind }) => void told.push(kind)
const till = createTill({
  account: gateway.clientOptions,
  store: memoryStore(),
  address: `${address}/payments`,
  returnTo: () => '/thanks',
  payAgain: () => '/again',
  onOutcome,
})
app.use('/payments', till.express())
app.get('/thanks', (_request, response) => response.send('thanks'))
const buyer = { email: 'joan@customer.example', phone: '+493012345678', ipAddress: '203.0.113.7' }
const home = { address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' }
const order = { reference: 'order-7', amount: '10.00', currency: 'EUR', orderDesc: 'A jug' }
const { address: form } = await till.pay({ ...order, ...buyer, ...home })
assert.equal((await payAsCustomer(form, { gateway })).html, 'thanks')
assert.deepEqual(told, ['paid'])
await till.close()
server.close()
await client.close()
await gateway.close()

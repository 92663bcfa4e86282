const assert = require('node:assert/strict')
const { once } = require('node:events')
const { createClient } = require('@tillkit/client')
const { verifyCallback } = require('@tillkit/express-middleware')
const { CallbackError, signState } = require('@tillkit/express-middleware/core')
const { operations } = require('@tillkit/protocol')
const { controlItems, InvalidInputError } = require('@tillkit/signing')
const { explainSignature } = require('@tillkit/signing/explain')
const { createFakeGateway, ImpossibleActionError, payAsCustomer } = require('@tillkit/testing')
const { createTill, memoryStore } = require('@tillkit/till')
const express = require('express')
const { createGateway } = require('tillkit')

async function main() {
  const gateway = createFakeGateway()
  const client = createClient(gateway.clientOptions)
  const reply = await client.payoutCheck({ clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', accountNumber: '1' })
  assert.equal((await client.status({ clientOrderId: 'p-1', orderId: reply.orderId })).status, 'approved')
  assert.ok(Object.keys(operations).length >= 27)
  assert.equal(controlItems.status.length, 3)
  const garbled = { method: 'POST', url: new URL('https://gate.example/'), parameters: [], authorization: 'Basic' }
  assert.throws(() => explainSignature(garbled), InvalidInputError)
  assert.equal(verifyCallback({ controlKeys: 'key' }).name, 'verifyCallbackHandler')
  // jose is ESM only: in the CommonJS build it has to be inside.
  const secrets = [{ id: 'a', secret: 'x'.repeat(32) }]
  const options = { clientOrderId: 'o-1', purpose: 'hosted-form', secrets, lifetime: 60, now: 0 }
  assert.equal((await signState(options)).split('.').length, 3)

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
  // Two packages, and two entries of one: they share its classes.
  const callback = { method: 'GET', url: '/callback', headers: {} }
  await verifyCallback({ controlKeys: 'key', onRejected: () => undefined })(callback, {}, error =>
    assert.ok(error instanceof CallbackError),
  )
  assert.throws(() => createGateway().act({ action: 'approve', orderId: '1' }), ImpossibleActionError)
}

void main()

const assert = require('node:assert/strict')
const { createClient } = require('@tillkit/client')
const { verifyCallback } = require('@tillkit/express-middleware')
const { CallbackError, signState } = require('@tillkit/express-middleware/core')
const { operations } = require('@tillkit/protocol')
const { controlItems, InvalidInputError } = require('@tillkit/signing')
const { explainSignature } = require('@tillkit/signing/explain')
const { createFakeGateway, ImpossibleActionError } = require('@tillkit/testing')
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

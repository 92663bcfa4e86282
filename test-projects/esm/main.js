import assert from 'node:assert/strict'
import { createClient } from '@tillkit/client'
import { verifyCallback } from '@tillkit/express-middleware'
import { operations } from '@tillkit/protocol'
import { controlItems } from '@tillkit/signing'
import { createFakeGateway } from '@tillkit/testing'

const gateway = createFakeGateway()
const client = createClient(gateway.clientOptions)
const reply = await client.payout({ clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', phone: '+447700900123' })
assert.equal((await client.status({ clientOrderId: 'p-1', orderId: reply.orderId })).status, 'approved')
assert.ok(Object.keys(operations).length >= 27)
assert.equal(controlItems.status.length, 3)
assert.equal(verifyCallback({ controlKeys: 'key' }).name, 'verifyCallbackHandler')
await client.close()
await gateway.close()

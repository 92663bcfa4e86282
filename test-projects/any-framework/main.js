import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { callbackReceiver, webResponse } from '@tillkit/express-middleware/core'

// A shop without Express installs none of it.
assert.equal(existsSync('node_modules/express'), false)
assert.equal(existsSync('node_modules/@types/express'), false)

const status = 'approved'
const reply = {
  clientOrderId: 'o-1',
  orderId: '77',
  status,
  transactionType: 'sale',
  amount: '1.00',
  currency: 'EUR',
  raw: {},
}
const told = []
const receiver = callbackReceiver({
  merchant: { controlKeys: 'key', client: { status: async () => reply } },
  onStatus: ({ kind, clientOrderId }) => void told.push(`${clientOrderId} ${kind}`),
})
const control = createHash('sha1').update(`${status}77o-1key`).digest('hex')
const query = new URLSearchParams({ status, orderid: '77', merchant_order: 'o-1', control })
const answer = await receiver.answer(new Request(`https://shop.example/callback?${query}`))
assert.equal(answer.error, undefined)
assert.equal(webResponse(answer, assert.fail).status, 200)
assert.deepEqual(told, ['o-1 paid'])

// The same from CommonJS, and beside the entry for Express, which loads without it.
const require = createRequire(import.meta.url)
assert.equal(typeof require('@tillkit/express-middleware/core').customerReceiver, 'function')
assert.equal(typeof (await import('@tillkit/express-middleware')).receiveCallbacks, 'function')

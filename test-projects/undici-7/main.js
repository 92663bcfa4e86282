/** What a client does over each kind of connection, whichever undici is installed. The gateway's own books say what was sent. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connectionOptions, createClient } from '@tillkit/client'
import { createFakeGateway } from '@tillkit/testing'
import { Agent, Pool, RetryAgent } from 'undici'

// There is one undici: the client's connections are of it.
assert.equal(existsSync('node_modules/@tillkit/client/node_modules'), false)

const gateway = createFakeGateway()
const { baseUrl } = await gateway.listen()
const { dispatcher, ...account } = gateway.clientOptions
const options = { ...account, baseUrl, allowPlainHttp: true }
const agent = new Agent(connectionOptions)
const dispatchers = {
  own: undefined,
  agent,
  pool: new Pool(baseUrl.origin, connectionOptions),
  retry: new RetryAgent(agent),
  inMemory: dispatcher,
}

const payout = clientOrderId => ({ clientOrderId, amount: '10.00', currency: 'EUR', phone: '+447700900123' })
const codeOf = promise =>
  promise.then(
    () => 'answered',
    error => error.code,
  )

for (const [name, each] of Object.entries(dispatchers)) {
  const client = createClient(each === undefined ? options : { ...options, dispatcher: each })
  const ordersOf = id => gateway.orders.list().filter(order => order.clientOrderId === id).length

  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => client.payout(payout(`${name}-${at}`))))
  assert.equal(new Set(replies.map(reply => reply.orderId)).size, 20)
  assert.equal((await client.status({ clientOrderId: `${name}-0`, orderId: replies[0].orderId })).status, 'approved')

  gateway.faults.arm({ fault: 'commit-then-drop', operation: 'payout' })
  assert.equal(await codeOf(client.payout(payout(`${name}-lost`))), 'ERR_OUTCOME_UNKNOWN')
  assert.equal(ordersOf(`${name}-lost`), 1)

  gateway.faults.arm({ fault: 'half-answer', operation: 'payout' })
  assert.equal(await codeOf(client.payout(payout(`${name}-half`))), 'ERR_OUTCOME_UNKNOWN')
  assert.equal(ordersOf(`${name}-half`), 1)

  gateway.faults.arm({ fault: 'refuse-connection', times: 2 })
  const refused = await codeOf(client.payout(payout(`${name}-refused`)))
  assert.match(refused, /^ERR_(NOT_SENT|OUTCOME_UNKNOWN)$/)
  assert.equal(ordersOf(`${name}-refused`), 0)
  gateway.faults.clear()
  await client.close()
}
await Promise.all([agent.close(), dispatchers.pool.close()])
await gateway.close()

import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import { createClient } from '@tillkit/client'
import {
  assertMovedMoney,
  assertNoSecrets,
  assertOrder,
  assertReceived,
  assertRefusedNothing,
  testCard,
  useFakeGateway,
} from '@tillkit/testing'
import { memoryStore } from '@tillkit/till'
import { storeConformance } from '@tillkit/till/conformance'

const gateway = useFakeGateway({ afterEach, after })
const client = createClient(gateway.clientOptions)
const card = { creditCardNumber: testCard, cardPrintedName: 'ADA', expireMonth: '12', expireYear: '2099', cvv2: '123' }
const order = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'ada@shop.example' }
const ids = []

describe('a shop', () => {
  // The second finds nothing of the first, and is told the same ids.
  for (const time of [1, 2]) {
    it(`charges once, time ${time}`, async () => {
      assertMovedMoney(gateway, [])
      ids.push((await client.sale({ ...order, ...card })).orderId)
      assertReceived(gateway, { operation: 'sale', times: 1, fields: { clientOrderId: 'o-1' } })
      assertMovedMoney(gateway, [{ clientOrderId: 'o-1', money: 'captured', amount: '10.00' }])
      assertOrder(gateway, { id: 'o-1', status: 'approved' })
      assert.throws(() => assertOrder(gateway, { id: 'o-2' }), assert.AssertionError)
      assertRefusedNothing(gateway)
      assertNoSecrets(gateway.calls(), { 'card number': testCard })
      assert.equal(new Set(ids).size, 1)
    })
  }

  it('does not take a lost answer for a refusal', async () => {
    gateway.faults.arm('commit-then-drop')
    await assert.rejects(client.sale({ ...order, ...card }), { code: 'ERR_OUTCOME_UNKNOWN' })
    assertMovedMoney(gateway, [{ clientOrderId: 'o-1' }])
  })

  it('reaches this machine', async () => {
    assert.equal(await fetch('http://127.0.0.1:65535/').catch(({ cause }) => cause.code), 'ECONNREFUSED')
  })

  it('finds nothing wrong with a store that conforms', async () => {
    assert.deepEqual(await storeConformance(() => ({ store: memoryStore() })), [])
  })

  it('finds that another process has a memory of its own', async () => {
    const elsewhere = { module: new URL('./open-store.mjs', import.meta.url), data: { clock: 'system' } }
    const only = [
      'reads nothing under a key that was never written',
      'loses no write of many who count on one document',
    ]
    const problems = await storeConformance(() => ({ store: memoryStore(), elsewhere }), { only })
    assert.deepEqual(
      problems.map(problem => problem.split(':')[0]),
      [only[1]],
    )
  })
})

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, it } from 'node:test'
import { createClient } from '@tillkit/client'
import { testCard, useFakeGateway } from '@tillkit/testing'

const gateway = useFakeGateway({ beforeEach, afterEach, after }, { seed: 'seed-of-the-run' })
const client = createClient(gateway.clientOptions)

it('fails by itself', async () => {
  const card = {
    creditCardNumber: testCard,
    cardPrintedName: 'ADA',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: '116',
  }
  await client.sale({ clientOrderId: 'o-77', amount: '10.00', currency: 'EUR', email: 'ada@shop.example', ...card })
  assert.equal(gateway.orders.find('o-77').stages[0].status, 'approved')
})
it('leaves a fault', () => gateway.faults.arm('drop'))
it('leaves this machine', () => fetch('https://gate.example/').catch(() => undefined))
it('passes', () => assert.deepEqual(gateway.calls(), []))

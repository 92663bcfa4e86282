import assert from 'node:assert/strict'
import { after, afterEach, it } from 'node:test'
import { createClient } from '@tillkit/client'
import { testCard, useFakeGateway } from '@tillkit/testing'

const gateway = useFakeGateway({ afterEach, after }, { seed: 'seed-of-the-run' })
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
it('passes', () => assert.deepEqual(gateway.calls(), []))

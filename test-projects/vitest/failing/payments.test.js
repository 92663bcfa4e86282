import { createClient } from '@tillkit/client'
import { testCard, useFakeGateway } from '@tillkit/testing'
import { afterAll, afterEach, expect, it } from 'vitest'

const gateway = useFakeGateway({ afterEach, afterAll }, { seed: 'seed-of-the-run' })
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
  expect(gateway.orders.find('o-77').stages[0].status).toBe('approved')
})
it('leaves a fault', () => gateway.faults.arm('drop'))
it('passes', () => expect(gateway.calls()).toEqual([]))

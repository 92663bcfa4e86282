import { createFakeGateway, testCard } from '@tillkit/testing'
import { type AnyGatewayError, createClient, memoryAttempts } from '../src/index.js'

const gateway = createFakeGateway({ endpointId: 39, login: 'merchant' })
const client = createClient({ ...gateway.clientOptions, attempts: memoryAttempts() })

const hold = await client.preauth({
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  email: 'jane@example.com',
  creditCardNumber: testCard,
  cardPrintedName: 'Jane Doe',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
})
await client.capture({ clientOrderId: 'o-1', orderId: hold.orderId })

gateway.faults.arm('commit-then-drop')
try {
  await client.return({ clientOrderId: 'o-1', orderId: hold.orderId })
} catch (thrown) {
  const error = thrown as AnyGatewayError
  // Money may have moved, so this asks instead of sending again.
  if (error.code === 'ERR_OUTCOME_UNKNOWN') {
    const { resolution } = await client.resolve(error.attempt)
    console.log(resolution)
  }
}

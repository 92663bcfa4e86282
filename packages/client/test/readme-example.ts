import { createFakeGateway, testCard } from '@tillkit/testing'
import { type AnyGatewayError, createClient } from '../src/index.js'

const gateway = createFakeGateway({ endpointId: 39, login: 'merchant' })
const client = createClient(gateway.clientOptions)
// Acquirers usually require all of it; the fake only warns of what is missing, in gateway.calls().
const place = { address1: '12 St James Square', city: 'London', zipCode: 'SW1Y 4LB', country: 'GB' }
const customer = { email: 'jane@example.com', phone: '+442079460000', ipAddress: '203.0.113.7', ...place }
const card = { creditCardNumber: testCard, cardPrintedName: 'DOE', expireMonth: '12', expireYear: '2099', cvv2: '123' }

const hold = await client.preauth({
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  orderDesc: 'Two cups',
  ...customer,
  ...card,
})
const order = { clientOrderId: 'o-1', orderId: hold.orderId }
await client.capture(order)

gateway.faults.arm('commit-then-drop')
try {
  await client.return(order)
} catch (thrown) {
  const error = thrown as AnyGatewayError
  // Money may have moved, so this asks instead of sending again.
  if (error.code === 'ERR_OUTCOME_UNKNOWN') {
    const ended = await client.awaitOutcome({ ...order, stages: ['reversal'], onlyOneOfItsKind: true })
    console.log(ended.kind, ended.moneyMoved)
  }
}

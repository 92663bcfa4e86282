import { createFakeGateway, testCard } from '@tillkit/testing'
import { createClient } from '../src/index.js'
import { type AmountFields, type CreateRecurringPaymentResponse, operation } from '@tillkit/protocol'

interface UpdateRecurringPayment extends AmountFields {
  readonly recurringPaymentId: string
}

const updateRecurringPayment = operation<UpdateRecurringPayment, CreateRecurringPaymentResponse>({
  name: 'UPDATE_RP_V4',
  path: '/api/v4/update-recurring-payment',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'changes',
  request: 'UpdateRecurringPayment',
  response: 'CreateRecurringPaymentResponse', // a reply without what this record requires is no answer
  required: ['recurringPaymentId', 'amount', 'currency'],
  stages: [],
  wireNames: { recurringPaymentId: 'recurring-payment-id' }, // the common names are known
})

// The fake checks the signature and the required fields; what it answers is yours to say.
const gateway = createFakeGateway({ operations: { updateRecurringPayment } })
gateway.handle({}, { updateRecurringPayment: ({ recurringPaymentId = '' }) => ({ recurringPaymentId }) })
const client = createClient(gateway.clientOptions)

const { recurringPaymentId } = await client.createRecurringPayment({
  clientOrderId: 'r-1',
  rpCardType: 'DST',
  creditCardNumber: testCard,
  amount: '10.00',
  currency: 'EUR',
})
const updated = await client.send(updateRecurringPayment, { recurringPaymentId, amount: '12.00', currency: 'EUR' })
console.log(updated.recurringPaymentId === recurringPaymentId)

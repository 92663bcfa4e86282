/** Requests that several tests send, and a client to send them with. The control key is a published example. */
import type { SaleByCardRequest } from '@tillkit/protocol'

export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

export const saleRequest: SaleByCardRequest = {
  clientOrderId: 'o-1',
  amount: '10.42',
  currency: 'EUR',
  email: 'john@example.com',
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'John Smith',
  expireMonth: '11',
  expireYear: '2083',
  cvv2: '9876',
}

export const captureRequest = { clientOrderId: 'o-1', orderId: '77' } as const

/** An answer that accepts an order. */
export const acceptedBody = JSON.stringify({
  type: 'async-response',
  'serial-number': '00000000-0000-0000-0000-000002d9b22a',
  'merchant-order-id': 'o-1',
  'paynet-order-id': '77',
})

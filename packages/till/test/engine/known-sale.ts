import type { PaymentDocument } from '../../src/state/document.js'
import type { KnownAttempt, KnownOrder } from '../../src/state/known.js'
import { withFacts } from '../state/facts-of.js'

/** The request for a sale of 10.00 EUR that the gateway has accepted as its order 77, as a payment keeps it. */
export const knownSale: KnownAttempt = {
  attemptId: 'basket-7',
  reservation: 'run/0',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  clientOrderId: 'basket-7',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  fingerprint: 'f',
  reservedAt: 0,
  sendBy: 1,
  amount: '10.00',
  currency: 'EUR',
  end: { kind: 'accepted', orderId: '77', serialNumber: 's-1', at: 1 },
}

/** Its order, of which status has said nothing yet. */
export const knownOrder: KnownOrder = {
  login: 'merchant',
  clientOrderId: 'basket-7',
  orderId: '77',
  attempts: [knownSale],
  stages: [],
}

/** A second order of the same payment, which is the gateway's order 78. */
export const secondOrder: KnownOrder = {
  ...knownOrder,
  clientOrderId: 'basket-7.2r',
  orderId: '78',
  attempts: [
    {
      ...knownSale,
      clientOrderId: 'basket-7.2r',
      reservation: 'run/9',
      end: { kind: 'accepted', orderId: '78', at: 1 },
    },
  ],
}

/** Its payment, once status has said that the sale is approved, and before anybody was told. */
export const paidPayment: PaymentDocument = withFacts({
  v: 1,
  reference: 'basket-7',
  orders: [
    {
      ...knownOrder,
      stages: [
        {
          stage: 'sale',
          status: 'approved',
          outcome: 'approved',
          amount: '10.00',
          currency: 'EUR',
          askedAt: 1_000,
          corrections: [],
        },
      ],
    },
  ],
})

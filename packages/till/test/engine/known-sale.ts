import type { KnownAttempt } from '@tillkit/protocol'

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

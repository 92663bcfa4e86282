/** Callbacks received to their end: verified, status asked of a stub, the handler told, answered. */
import { receiveCallbacks } from '@tillkit/express-middleware'
import { attemptEnded, documentKey, entryOf, memoryStore } from '@tillkit/protocol'
import express from 'express'
import { callbackRequest, controlKey } from '../requests.js'
import { measureServers, mostRequests } from '../side-by-side.js'

const price = { amount: '10.42', currency: 'EUR' }
const login = 'merchant'
const store = memoryStore()
const payments = { store, name: login, environment: 'test', login }

// Every order is there, as a client leaves it that was answered.
for (let number = 0; number < mostRequests; number += 1) {
  const clientOrderId = `order-${number}`
  const attempt = {
    attemptId: `a-${number}`,
    reservation: `r-${number}`,
    operation: 'sale',
    effect: 'creates',
    stages: ['sale'],
    login,
    baseUrl: 'https://gate.example/paynet',
    endpointId: '39',
    clientOrderId,
    ...price,
    fingerprint: 'f'.repeat(64),
    reservedAt: 0,
    sendBy: 30_000,
  }
  const answered = { kind: 'accepted', at: 1_000, orderId: String(7_000_000 + number) }
  const entry = entryOf(attemptEnded(undefined, attempt, answered))
  await store.write(documentKey({ clientOrderId }, payments), entry, { id: `w-${number}` })
}

const client = {
  payments,
  status: async ids => ({ ...ids, status: 'approved', transactionType: 'sale', ...price, raw: {} }),
}
let told = 0

const receiving = receiveCallbacks({
  merchant: { controlKeys: controlKey, client },
  store,
  onOutcome: ({ kind }) => {
    if (kind === 'paid') told += 1
  },
})

const { perSecond, ratio } = await measureServers({
  'a bare route': {
    listener: express().all('/callback', (_request, response) => response.sendStatus(200)),
    request: callbackRequest,
  },
  receiveCallbacks: { listener: express().all('/callback', receiving), request: callbackRequest },
})
if (told === 0) throw new Error('Nothing was told: this measured something else.')

export const rows = [
  {
    name: 'receiveCallbacks, store in memory, stubbed status',
    against: 'of the throughput of a bare route',
    ratio: ratio('receiveCallbacks', 'a bare route'),
    atLeast: 0.4,
    perSecond,
  },
]

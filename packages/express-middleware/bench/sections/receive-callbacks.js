/** Callbacks received to their end: verified, status asked of a stub, the handler told, answered. */
import { receiveCallbacks } from '@tillkit/express-middleware'
import { memoryInbox } from '@tillkit/express-middleware/core'
import { emptyOrder } from '@tillkit/protocol'
import express from 'express'
import { callbackRequest, controlKey } from '../requests.js'
import { measureServers } from '../side-by-side.js'

const price = { amount: '10.42', currency: 'EUR' }
const expected = { stages: ['sale'], ...price }
const client = {
  status: async ids => ({ ...ids, status: 'approved', transactionType: 'sale', ...price, raw: {} }),
}
let told = 0

const receiving = receiveCallbacks({
  merchant: { login: 'merchant', controlKeys: controlKey, client },
  inbox: memoryInbox(),
  order: ids => ({ order: emptyOrder(ids), expected }),
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
    name: 'receiveCallbacks, memory inbox, stubbed status',
    against: 'of the throughput of a bare route',
    ratio: ratio('receiveCallbacks', 'a bare route'),
    atLeast: 0.7,
    perSecond,
  },
]

/** Callbacks received to their end: verified, status asked of a stub, the merchant's function called, answered. */
import { receiveCallbacks } from '@tillkit/express-middleware'
import express from 'express'
import { callbackRequest, controlKey } from '../requests.js'
import { measureServers } from '../side-by-side.js'

const price = { amount: '10.42', currency: 'EUR' }
const client = {
  status: async ids => ({ ...ids, status: 'approved', transactionType: 'sale', ...price, raw: {} }),
}
let told = 0

const receiving = receiveCallbacks({
  merchant: { controlKeys: controlKey, client },
  onStatus: ({ kind, isOver }) => {
    if (kind === 'paid' && isOver(price)) told += 1
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
    name: 'receiveCallbacks, stubbed status',
    against: 'of the throughput of a bare route',
    ratio: ratio('receiveCallbacks', 'a bare route'),
    atLeast: 0.75,
    perSecond,
  },
]

/** Callbacks received by a till to their end: verified, status asked of a stub, the handler called, written down in memory, answered. */
import { createTill } from '@tillkit/till'
import express from 'express'
import { customer } from '../../../../bench/peers/sale.js'
import { measureServers } from '../../../express-middleware/bench/side-by-side.js'
import { memory } from '../engines/memory.js'
import { stubGateway } from '../stub-gateway.js'

const { account, pay } = stubGateway()
let told = 0

const till = createTill({
  account,
  store: memory(),
  address: 'http://127.0.0.1:4280/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: ({ kind }) => {
    if (kind === 'paid') told += 1
  },
})

/** Each callback is about a payment of its own, whose customer has paid. Both servers get the same ones. */
const texts = []
async function prepare(count) {
  for (let number = texts.length; number < count; number += 1) {
    const { payment } = await till.pay({ reference: `order-${number}`, ...customer })
    const query = pay(payment.orders[0].orderId)
    texts.push(`GET /payments/callback?${query} HTTP/1.1\r\nHost: shop.example\r\n\r\n`)
  }
}
const request = number => texts[number]

const { perSecond, ratio } = await measureServers(
  {
    'a bare route': {
      listener: express().all('/payments/callback', (_request, response) => response.sendStatus(200)),
      request,
      prepare,
    },
    'a till': { listener: express().use('/payments', till.express()), request, prepare },
  },
  { perRound: 400 },
)
await till.close()
if (told < texts.length) throw new Error(`${told} of ${texts.length} were told: this measured something else.`)

export const rows = [
  {
    name: 'Callbacks of a till, store in memory, stubbed status',
    against: 'of the throughput of a bare route of Express 5',
    ratio: ratio('a till', 'a bare route'),
    atLeast: 0.75,
    perSecond,
  },
]

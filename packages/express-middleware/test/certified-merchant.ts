import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient, isGatewayError } from '@tillkit/client'
import { verifyCallback } from '@tillkit/express-middleware'
import { askAndSettle, emptyOrder, isSettled, needsPerson, type Order, reduceOrder } from '@tillkit/protocol'
import type { FakeGateway } from '@tillkit/testing'
import express from 'express'
import type { MerchantUnderTest, PaidAnswer } from 'tillkit'

/** A merchant on the gateway it is given: a client, a callback route, and a job that asks on. */
export async function startMerchant(gateway: FakeGateway): Promise<MerchantUnderTest> {
  await gateway.listen() // leave it out, and the client talks to the gateway without sockets
  const { clock, clientOptions } = gateway
  const client = createClient({ ...clientOptions, wait: clock.wait })
  const price = { amount: '10.00', currency: 'EUR' }
  const orders = new Map<string, { order: Order; answer: PaidAnswer }>() // yours are in a database

  // The one door: whatever happens, status is asked, and says how it ended.
  const settle = async (id: string): Promise<boolean> => {
    const kept = orders.get(id)
    if (kept === undefined) return false
    const expected = { stages: ['sale'], ...price }
    const settlement = await askAndSettle({ client, order: kept.order, expected, clock: clock.now })
    if ('observation' in settlement) kept.order = reduceOrder(kept.order, settlement.observation)
    if (needsPerson(settlement)) kept.answer = 'needs-person'
    else if (isSettled(settlement)) kept.answer = settlement.kind === 'approved' ? 'paid' : 'not-paid'
    return settlement.kind !== 'no-answer'
  }
  const askOn = async (id: string): Promise<void> => {
    for (const seconds of [5, 60, 600, 3_600, 86_400]) {
      await clock.wait(seconds * 1_000)
      if (orders.get(id)?.answer !== 'open') return
      await settle(id)
    }
    const kept = orders.get(id)
    if (kept?.answer === 'open') kept.answer = 'needs-person'
  }

  const app = express()
  app.all('/callback', verifyCallback({ controlKeys: clientOptions.controlKey }), async (_request, response) => {
    const isAnswered = await settle(response.locals.callback.signed.clientOrderId)
    response.sendStatus(isAnswered ? 200 : 503) // not taken: it comes again
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const serverCallbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  return {
    async startPayment({ email, card }) {
      const clientOrderId = `order-${orders.size + 1}`
      orders.set(clientOrderId, { order: emptyOrder({ clientOrderId }), answer: 'open' })
      try {
        await client.sale({ clientOrderId, ...price, email, serverCallbackUrl, ...card })
      } catch (error) {
        // Only what is known not to have happened may be told the customer as a failure.
        if (isGatewayError(error) && !error.moneyMayHaveMoved) throw error
      }
      void askOn(clientOrderId)
      return { order: clientOrderId }
    },
    isPaid: order => orders.get(order)?.answer ?? 'not-paid',
    async close() {
      server.close()
      server.closeAllConnections()
      await client.close()
    },
  }
}

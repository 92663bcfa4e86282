import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isGatewayError } from '@tillkit/client'
import type { FakeGateway } from '@tillkit/testing'
import { createTill, memoryStore } from '@tillkit/till'
import express from 'express'
import type { MerchantUnderTest, PaidAnswer } from 'tillkit'

/** A merchant on the gateway it is given: a till, which sends the card, takes callbacks and asks on. */
export async function startMerchant(gateway: FakeGateway): Promise<MerchantUnderTest> {
  await gateway.listen() // leave it out, and the till talks to the gateway without sockets
  const { clock, clientOptions } = gateway
  const app = express()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments`
  const orders = new Map<string, PaidAnswer>() // yours are in a database
  const baskets = new Map<string, string>() // and which order a basket has

  const till = createTill({
    account: clientOptions,
    store: memoryStore({ clock: clock.now }), // and so is what the till keeps
    address,
    returnTo: ({ reference }) => `/orders/${reference}`,
    onOutcome({ kind, payment }) {
      orders.set(payment.reference, kind === 'paid' ? 'paid' : kind === 'disputed' ? 'needs-person' : 'not-paid')
    },
    patience: 3_600_000, // after an hour without an answer a person looks
    clock: clock.now,
    wait: clock.wait,
  })
  app.use('/payments', till.express())

  return {
    async startPayment({ purchase, email, card }) {
      const earlier = baskets.get(purchase) ?? ''
      if ((orders.get(earlier) ?? 'not-paid') !== 'not-paid') return { order: earlier } // pressed twice
      const clientOrderId = `order-${orders.size + 1}`
      orders.set(clientOrderId, 'open')
      baskets.set(purchase, clientOrderId)
      try {
        await till.client.sale({ clientOrderId, amount: '10.00', currency: 'EUR', email, ...card })
      } catch (error) {
        // Only what is known not to have happened may be told the customer as a failure.
        if (isGatewayError(error) && !error.moneyMayHaveMoved) {
          orders.set(clientOrderId, 'not-paid')
          throw error
        }
      }
      return { order: clientOrderId }
    },
    async isPaid(order) {
      const told = orders.get(order) ?? 'not-paid'
      if (told !== 'open') return told
      // Nothing is told of an order that the gateway may never have had. The till asks on, and says when a person has to: status is asked first.
      if ((await till.payment(order)).needsPerson === undefined) return 'open'
      const { needsPerson } = await till.ask(order)
      const now = orders.get(order) ?? 'open'
      return now !== 'open' || needsPerson === undefined ? now : 'needs-person'
    },
    work: () => till.tick(), // what the store has left to do
    async close() {
      server.close()
      server.closeAllConnections()
      await till.close()
    },
  }
}

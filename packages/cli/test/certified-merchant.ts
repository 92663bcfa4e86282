import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient, isGatewayError } from '@tillkit/client'
import { receiveCallbacks } from '@tillkit/express-middleware'
import { memoryStore } from '@tillkit/protocol'
import type { FakeGateway } from '@tillkit/testing'
import express from 'express'
import type { MerchantUnderTest, PaidAnswer } from 'tillkit'

/** A merchant on the gateway it is given: a client, a callback route, and a job that asks on. */
export async function startMerchant(gateway: FakeGateway): Promise<MerchantUnderTest> {
  await gateway.listen() // leave it out, and the client talks to the gateway without sockets
  const { clock, clientOptions } = gateway
  const store = memoryStore({ clock: clock.now }) // yours is a database
  const client = createClient({ ...clientOptions, store, clock: clock.now, wait: clock.wait })
  const orders = new Map<string, PaidAnswer>() // and so are yours

  const callbacks = receiveCallbacks({
    merchant: { controlKeys: clientOptions.controlKey, client },
    store,
    clock: clock.now,
    wait: clock.wait,
    onOutcome({ kind, reference }) {
      orders.set(reference, kind === 'paid' ? 'paid' : kind === 'disputed' ? 'needs-person' : 'not-paid')
    },
  })
  const askOn = async (id: string): Promise<void> => {
    for (const seconds of [60, 600, 3_600, 86_400]) {
      await clock.wait(seconds * 1_000)
      if (orders.get(id) !== 'open') return
      await callbacks.resume() // what the store has left to do
    }
    await clock.wait(86_400_000)
    if (orders.get(id) === 'open') orders.set(id, 'needs-person')
  }

  const app = express()
  app.all('/callback', callbacks)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const serverCallbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  return {
    async startPayment({ email, card }) {
      const clientOrderId = `order-${orders.size + 1}`
      orders.set(clientOrderId, 'open')
      try {
        await client.sale({ clientOrderId, amount: '10.00', currency: 'EUR', email, serverCallbackUrl, ...card })
      } catch (error) {
        // Only what is known not to have happened may be told the customer as a failure.
        if (isGatewayError(error) && !error.moneyMayHaveMoved) throw error
      }
      void askOn(clientOrderId)
      return { order: clientOrderId }
    },
    isPaid: order => orders.get(order) ?? 'not-paid',
    async close() {
      server.close()
      server.closeAllConnections()
      await callbacks.close()
      await client.close()
    },
  }
}

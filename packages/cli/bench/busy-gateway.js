/** A gateway that has answered a hundred thousand requests about ten thousand orders, and keeps the latest ten thousand of them. */
import { createGateway } from 'tillkit'
import { saleRequest, send, statusRequest } from '../../testing/bench/signed-requests.js'

const orders = 10_000
const requests = 100_000

export async function startBusyGateway() {
  const gateway = createGateway({ maxCalls: 10_000 })
  const ask = request => send(gateway.dispatcher, request)
  const sell = clientOrderId => ask(saleRequest(gateway.clientOptions, clientOrderId))
  for (let number = 1; number <= orders; number += 1) await sell(`order-${number}`)
  for (let number = orders; number < requests; number += 1)
    await ask(statusRequest(gateway.clientOptions, `order-${(number % orders) + 1}`))
  if (gateway.orders.list().length !== orders) throw new Error('An order was refused.')
  const { origin } = await gateway.listen()
  return { gateway, origin, sell }
}

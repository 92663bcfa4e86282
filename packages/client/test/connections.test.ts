/** How many connections a client opens. */
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.js'
import { type GatewayServer, startServer } from './gateway-server.js'
import { controlKey } from './sample-requests.js'

let server: GatewayServer

afterEach(() => server.close())

const statusOf = (clientOrderId: string) =>
  JSON.stringify({ type: 'status-response', status: 'processing', 'merchant-order-id': clientOrderId })

describe('connections of a client', () => {
  it('are no more than the requests under way, however many answers come at once', async () => {
    const atOnce = 8
    const used = new Set<Socket>()
    let waiting: (() => void)[] = []
    server = await startServer((socket, { body }) => {
      used.add(socket)
      const reply = statusOf(/client_orderid=([\w-]+)/.exec(body)?.[1] ?? '')
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/vnd.pay+json\r\nContent-Length: ${reply.length}`
      waiting.push(() => socket.write(`${head}\r\n\r\n${reply}`))
      if (waiting.length < atOnce) return
      const answered = waiting
      waiting = []
      for (const answer of answered) answer()
    })
    const client = createClient({ baseUrl: server.baseUrl, endpointId: 39, login: 'merchant', controlKey })
    const askFiveTimes = async (_: unknown, asker: number) => {
      for (let time = 0; time < 5; time += 1)
        await client.status({ clientOrderId: `o-${asker}-${time}`, orderId: '77' })
    }
    await Promise.all(Array.from({ length: atOnce }, askFiveTimes))
    expect([server.arrived.length, used.size]).toEqual([5 * atOnce, atOnce])
    await client.close()
  })
})

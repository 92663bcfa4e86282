/** Gateways that misbehave, and the grade each of their answers must end in: for a sale, a capture and a question. */
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AnyGatewayError, type Client, createClient } from '../src/index.js'
import { answers, type Behave, type Grades, json, misbehaviours, type, unreadable } from './misbehaviours.js'
import { misframings } from './misframings.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

const statusRequest = { clientOrderId: 'o-1', orderId: '77' }

let server: Server
let behave: Behave
let client: Client
const sockets = new Set<Socket>()
const now = Date.UTC(2026, 0, 2, 3, 9, 5)

beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => behave(request, response))
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    retries: 0,
    clock: () => now,
  })
})

afterEach(async () => {
  await client.close()
  const closed = new Promise(resolve => server.close(resolve))
  for (const socket of sockets) socket.destroy()
  await closed
})

async function graded(): Promise<Grades> {
  const grade = (call: Promise<{ readonly status?: string; readonly orderId?: string }>) =>
    call.then(
      ({ status, orderId }) => status ?? orderId,
      (error: AnyGatewayError) =>
        error.code === 'ERR_OUTCOME_UNKNOWN' ? `${error.code} ${error.cause.code}` : error.code,
    )
  return {
    sale: await grade(client.sale(saleRequest)),
    capture: await grade(client.capture(captureRequest)),
    status: await grade(client.status(statusRequest)),
  }
}

/** Lets the pool take a connection back. */
const turn = () => new Promise(resolve => setImmediate(resolve))

describe('a gateway that', () => {
  it.each([...misframings, ...misbehaviours])('%s ends in the right grade', async (_name, behaviour, expected) => {
    behave = behaviour
    expect(await graded()).toEqual(expected)
  })

  it('pours without end is not listened to for ever', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type })
      const pour = () => {
        if (!response.destroyed) response.write(' '.repeat(65_536), pour)
      }
      pour()
    }
    expect(await graded()).toEqual(unreadable)
  })

  it('stalls in the body is given up when the caller says so, with an unknown outcome', async () => {
    const controller = new AbortController()
    behave = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': '90' })
      response.write('{', () => controller.abort(new Error('enough')))
    }
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      cause: { code: 'ERR_TRANSPORT' },
      attempt: { end: { kind: 'unknown', connection: 'closed' } },
    })
  })

  it('closes an idle connection just as it is used again leaves the outcome unknown, and is asked once', async () => {
    behave = answers(acceptedBody)
    await client.sale(saleRequest)
    await turn()
    const [kept] = sockets
    const used: boolean[] = []
    behave = request => {
      used.push(request.socket === kept)
      request.socket.resetAndDestroy()
    }
    await expect(client.capture(captureRequest)).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      cause: { code: 'ERR_TRANSPORT', phase: 'sending' },
    })
    expect(used).toEqual([true])
  })

  it('is asked on a connection of its own where that is wished, so that an idle one cannot break under it', async () => {
    const fresh = { freshConnection: true }
    const used = new Set<Socket>()
    behave = (request, response) => {
      used.add(request.socket)
      answers(acceptedBody)(request, response)
    }
    await client.sale(saleRequest, fresh)
    await client.capture(captureRequest, fresh)
    await client.sale(saleRequest)
    await turn()
    await client.capture(captureRequest)
    expect(used.size).toBe(3)
    // Closed, not kept for anybody: what is left is the one that the last two shared.
    while (sockets.size > 1) await turn()
  })

  it('closes a connection of the caller’s dispatcher after the answer where a fresh one is wished', async () => {
    const asked: (string | undefined)[] = []
    behave = (request, response) => {
      asked.push(request.headers.connection)
      answers(acceptedBody)(request, response)
    }
    const { port } = server.address() as { readonly port: number }
    const dispatcher = new Agent()
    const baseUrl = `http://127.0.0.1:${port}/paynet`
    const own = createClient({
      baseUrl,
      endpointId: 39,
      login: 'merchant',
      controlKey,
      dispatcher,
      freshConnection: true,
    })
    await own.sale(saleRequest)
    await own.sale({ ...saleRequest }, { freshConnection: false })
    expect(asked).toEqual(['close', 'keep-alive'])
    await dispatcher.destroy()
  })

  it('names a clock that is wrong when it refuses a signature', async () => {
    behave = answers(json({ type: 'error' }), {
      status: 401,
      headers: { 'Content-Type': type, Date: 'Fri, 02 Jan 2026 03:04:05 GMT' },
    })
    const payout = client.payout({ clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' })
    await expect(payout).rejects.toThrow('Our clock is 300 s ahead of the gateway’s')
  })
})

/** A merchant's knowledge after a gateway misbehaved: a word about money, an attempt, and the end of a wait for its outcome. */

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AnyGatewayError, type Client, createClient, type OutcomeUnknownError } from '../src/index.js'
import { type Behave, misbehaviours } from './misbehaviours.js'
import { misframings } from './misframings.js'
import { recordAttempts } from './recorded-attempts.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { firstOfEach, rows } from './soak.js'

const minute = 60_000
let server: Server
let behave: Behave
let client: Client
let attempts: ReturnType<typeof recordAttempts>['attempts']
let arrived: string[]
let now = 0
const sockets = new Set<Socket>()

beforeEach(async () => {
  arrived = []
  now = Date.UTC(2026, 0, 2)
  server = createServer((request, response) => {
    arrived.push(/v2\/(\w+)/.exec(request.url ?? '')?.[1] ?? '')
    request.resume().on('end', () => behave(request, response))
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const recorded = recordAttempts()
  attempts = recorded.attempts
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    observer: { ...recorded.observer, warning() {} },
    retries: 0,
    clock: () => now,
    wait: async milliseconds => {
      now += milliseconds
    },
  })
})

afterEach(async () => {
  await client.close()
  const closed = new Promise(resolve => server.close(resolve))
  for (const socket of sockets) socket.destroy()
  await closed
})

const calls = {
  sale: () => client.sale(saleRequest),
  capture: () => client.capture(captureRequest),
  return: () => client.return({ ...captureRequest, amount: '3.00', currency: 'EUR' }),
}

/** Says whether money may have moved, as each grade must. */
const mayHaveMoved: Readonly<Record<string, boolean>> = {
  ERR_OUTCOME_UNKNOWN: true,
  ERR_REQUEST_REFUSED: false,
  ERR_AUTHENTICATION_REFUSED: false,
}
const endings: Readonly<Record<string, string>> = {
  ERR_OUTCOME_UNKNOWN: 'unknown',
  ERR_REQUEST_REFUSED: 'refused',
  ERR_AUTHENTICATION_REFUSED: 'refused',
}

/** Waits for what an attempt came to. */
function waitFor({ attempt }: OutcomeUnknownError) {
  const { clientOrderId = '', orderId, stages, amount, currency } = attempt
  const schedule = [{ atLeast: minute, atMost: minute, times: 3 }]
  const money = amount === undefined || currency === undefined ? {} : { amount, currency }
  return client.awaitOutcome({ clientOrderId, orderId, stages, ...money, onlyOneOfItsKind: true }, { schedule })
}

/** Daily one gateway for each way in which a sale, a capture and a question may end. */
const gateways = rows(
  [...misframings, ...misbehaviours],
  firstOfEach(([, , grades]) => grades),
)

describe.each(Object.entries(calls))('a %s at a gateway that', (name, call) => {
  it.each(gateways)('%s says the same of money everywhere', async (_name, behaviour) => {
    behave = behaviour
    const error = await call().then(
      () => undefined,
      (thrown: AnyGatewayError) => thrown,
    )
    expect(arrived).toEqual([name])
    const [remembered] = attempts()
    if (error === undefined) return expect(remembered).toMatchObject({ end: { kind: 'accepted' } })
    expect(error.moneyMayHaveMoved).toBe(mayHaveMoved[error.code])
    expect(remembered?.end?.kind).toBe(endings[error.code])
    if (error.code !== 'ERR_OUTCOME_UNKNOWN') return
    expect(remembered).toMatchObject(error.attempt)
    // It answers every question in the same way, so that nothing is known.
    expect(await waitFor(error)).toMatchObject({ kind: 'still-unknown', moneyMoved: 'unknown' })
  })
})

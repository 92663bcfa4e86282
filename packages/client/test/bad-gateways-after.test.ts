/** What a merchant is left with after a gateway misbehaved: a word about money, an attempt, and what resolving it says. */

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AnyGatewayError,
  type Client,
  createClient,
  type OutcomeUnknownError,
  type ResolvePosition,
} from '../src/index.js'
import { type Behave, misbehaviours } from './misbehaviours.js'
import { misframings } from './misframings.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { firstOfEach, rows } from './soak.js'
import { type WatchedStore, watchedStore } from './watched-store.js'

const hour = 3_600_000
let server: Server
let behave: Behave
let client: Client
let store: WatchedStore
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
  store = watchedStore({ clock: () => now })
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    store,
    retries: 0,
    clock: () => now,
    // The word that the refusals of these gateways carry, so that they might pass for "never seen".
    profile: defineProfile({ orderNeverSeen: '8' }),
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
  return: () => client.return({ ...captureRequest, amount: '3.00', currency: 'EUR' }, { attemptId: 'p-1' }),
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

/** Everything that resolving ever says of an attempt, asked again and again, an hour apart. */
async function resolvedTo({ attempt }: OutcomeUnknownError): Promise<ReadonlySet<string>> {
  const said = new Set<string>()
  let position: ResolvePosition | undefined
  for (let times = 0; times < 3; times += 1) {
    now += hour
    const resolution = await client.resolve(attempt, { position, connectionClosed: true })
    said.add(resolution.kind)
    position = 'position' in resolution ? resolution.position : undefined
  }
  return said
}

/** Daily one gateway for each way in which a sale, a capture and a question may end. */
const gateways = rows(
  [...misframings, ...misbehaviours],
  firstOfEach(([, , grades]) => grades),
)

describe.each(Object.entries(calls))('a %s at a gateway that', (name, call) => {
  it.each(gateways)('%s says the same of money everywhere', async (_name, behaviour, grades) => {
    behave = behaviour
    const error = await call().then(
      () => undefined,
      (thrown: AnyGatewayError) => thrown,
    )
    // Sent once, however it was answered; the question before a change is none of its own.
    expect(arrived.filter(each => each === name)).toHaveLength(1)
    const [remembered] = store.attempts()
    if (error === undefined) return expect(remembered).toMatchObject({ end: { kind: 'accepted' } })
    expect(error.moneyMayHaveMoved).toBe(mayHaveMoved[error.code])
    expect(remembered?.end?.kind).toBe(endings[error.code])
    if (error.code !== 'ERR_OUTCOME_UNKNOWN') return
    expect(remembered).toMatchObject(error.attempt)
    // What answers every question so knows nothing: an order only where its status replies can be read.
    const isShown = name === 'sale' && !grades.status?.startsWith('ERR_')
    expect([...(await resolvedTo(error))]).toEqual([isShown ? 'happened' : 'cannot-tell-yet'])
  })
})

/** A shop that lives through whatever may happen, at random, and writes down every word that its clients say. */

import { createFakeClock, createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { Agent, type Dispatcher, RetryAgent } from 'undici'
import {
  type AnyGatewayError,
  type AwaitedOutcome,
  type CallOptions,
  type Client,
  createClient,
  isGatewayError,
  outcomeOf,
  type SentDescription,
} from '../src/index.js'
import { saleRequest } from './sample-requests.js'
import { testKey } from './test-key.js'

const minute = 60_000
const part = { amount: '1.00', currency: 'EUR' }
/** The merchant's ids of its orders. */
export const ids = Array.from({ length: 6 }, (_, at) => `o-${at + 1}`)

/** What the client said of one request, at last. */
export interface Said {
  readonly kind: 'create' | 'capture' | 'return' | 'void'
  readonly clientOrderId: string
  readonly word: 'accepted' | 'refused' | 'not-sent' | 'unknown'
  readonly serialNumber?: string | undefined
}

type Random = () => number

/** What a shop has been through. */
export interface Lived {
  readonly gateway: FakeGateway
  readonly said: readonly Said[]
  /** How what was accepted is said to have ended. */
  readonly outcomes: readonly { readonly said: Said; readonly outcome: AwaitedOutcome }[]
  close(): Promise<void>
}

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Lives for so many steps, with clients that come and go and sit on different dispatchers. */
export async function live(seed: string, steps: number): Promise<Lived> {
  const random: Random = randomOf(Number.parseInt(seed, 10))
  const chance = (one: number) => random() < one
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ clock, seed })
  await gateway.listen()
  for (const [fault, probability] of [
    ['drop', 0.1],
    ['maintenance-page', 0.05],
    ['commit-then-drop', 0.1],
    ['server-error-after-commit', 0.1],
    ['half-answer', 0.1],
    ['delayed-commit', 0.08],
    ['status-lags', 0.2],
    ['unknown-status-word', 0.1],
  ] as const) {
    const delay = fault === 'delayed-commit' ? { delay: 12 * minute } : {}
    gateway.faults.arm({ fault, probability, ...delay })
  }
  const dispatchers: Dispatcher[] = []
  const open = (): Client => {
    const retrying = new RetryAgent(new Agent(), { methods: ['POST'], minTimeout: 1, maxTimeout: 1, maxRetries: 2 })
    const dispatcher = chance(0.3) ? retrying : undefined
    dispatchers.push(retrying)
    return createClient({
      ...gateway.clientOptions,
      privateKey: testKey,
      ...(dispatcher === undefined ? {} : { dispatcher }),
      retries: 0,
      random,
      freshConnection: chance(0.3),
      wait: async milliseconds => void (await clock.advance(milliseconds)),
    })
  }
  const clients = [open(), open()]
  const said: Said[] = []
  const unknown: { readonly said: Said; readonly attempt: SentDescription }[] = []
  const orderIds = new Map<string, string>()
  /** Orders whose request may have arrived, as far as the client has said. */
  const maybeThere = new Set<string>()

  /** Aborts some calls, at one turn of the event loop or another. */
  const options = (): CallOptions => {
    if (!chance(0.15)) return {}
    const controller = new AbortController()
    let turns = Math.floor(random() * 8)
    const next = (): void => {
      turns -= 1
      if (turns < 0) controller.abort(new Error('given up'))
      else setImmediate(next)
    }
    next()
    return { signal: controller.signal }
  }

  async function send(kind: Said['kind'], clientOrderId: string): Promise<void> {
    // The client keeps nothing. So a shop creates an order again only where the client said that nothing came of the first.
    if (kind === 'create' && maybeThere.has(clientOrderId)) return
    if (kind === 'create') maybeThere.add(clientOrderId)
    const client = pick(clients)
    if (kind !== 'create' && chance(0.25)) gateway.outcomes.plan({ outcome: 'declined', operation: kind })
    const given = options()
    const orderId = orderIds.get(clientOrderId) ?? `1${clientOrderId.slice(-1)}`
    const known = { clientOrderId, orderId }
    const amount = pick(['10.42', '10.42', '5.00'])
    const create = { ...saleRequest, clientOrderId, amount, cvv2: pick(['123', '123', '101']) }
    const calls = {
      create: () => (chance(0.5) ? client.sale(create, given) : client.preauth(create, given)),
      capture: () => client.capture(chance(0.5) ? known : { ...known, ...part }, given),
      return: () => client.return(chance(0.3) ? known : { ...known, ...part }, given),
      void: () => client.void(known, given),
    }
    const told: { said?: Said } = {}
    try {
      const reply = await calls[kind]()
      if (reply.orderId !== undefined) orderIds.set(clientOrderId, reply.orderId)
      told.said = { kind, clientOrderId, word: 'accepted', serialNumber: reply.serialNumber }
    } catch (error) {
      told.said = { kind, clientOrderId, word: wordOf(error), serialNumber: undefined }
      if (isGatewayError(error) && error.code === 'ERR_OUTCOME_UNKNOWN') {
        // As it comes back from a log.
        const attempt = JSON.parse(JSON.stringify(error.attempt)) as SentDescription
        unknown.push({ said: told.said, attempt })
      }
    }
    said.push(told.said)
    if (kind === 'create' && ['refused', 'not-sent'].includes(told.said.word)) maybeThere.delete(clientOrderId)
  }

  const outcomes: { readonly said: Said; readonly outcome: AwaitedOutcome }[] = []
  async function settle(): Promise<void> {
    const each = pick(said.filter(({ word, serialNumber }) => word === 'accepted' && serialNumber !== undefined))
    const orderId = each === undefined ? undefined : orderIds.get(each.clientOrderId)
    if (each === undefined || orderId === undefined) return
    const { kind, clientOrderId, serialNumber = '' } = each
    const order = { clientOrderId, orderId }
    const question =
      kind === 'create'
        ? { ...order, stages: ['sale', 'preauth'], serialNumber }
        : outcomeOf(kind, { request: order, reply: { orderId, serialNumber } })
    outcomes.push({ said: each, outcome: await pick(clients).awaitOutcome(question) })
  }

  /** Waits for what an order came to whose request may have arrived. */
  async function askAboutUnknown(): Promise<void> {
    const each = pick(unknown.filter(({ said: { kind } }) => kind === 'create'))
    if (each === undefined) return
    const { clientOrderId = '', stages, amount = '', currency = '' } = each.attempt
    const outcome = await pick(clients).awaitOutcome({ clientOrderId, stages, amount, currency })
    outcomes.push({ said: each.said, outcome })
    const { orderId } = outcome.order
    if (orderId !== undefined) orderIds.set(clientOrderId, orderId)
  }

  /** What comes next for an order, mostly: ask what is open, make what is not there, change what is. */
  function next(clientOrderId: string): () => Promise<unknown> {
    const one = random()
    if (unknown.some(({ said: each }) => each.clientOrderId === clientOrderId) && one < 0.4) return askAboutUnknown
    if (!orderIds.has(clientOrderId)) return () => send('create', clientOrderId)
    if (one < 0.4) return () => send('return', clientOrderId)
    if (one < 0.6) return () => send('capture', clientOrderId)
    return one < 0.7 ? () => send('void', clientOrderId) : settle
  }

  for (let step = 0; step < steps; step += 1) {
    // One order after the other, and sometimes one from before.
    const clientOrderId = ids[Math.floor((step / steps) * ids.length - (chance(0.7) ? 0 : random() * 3))] ?? 'o-1'
    const kind = pick(['create', 'return'] as const)
    const oddity = random()
    if (oddity < 0.1) await Promise.all([send(kind, clientOrderId), send(kind, clientOrderId)])
    else if (oddity < 0.2) await send(pick(['create', 'capture', 'return', 'void']), clientOrderId)
    else await next(clientOrderId)()
    if (chance(0.1)) await clock.advance(pick([1, 6, 16, 60]) * minute)
    if (chance(0.05)) clients[0] = await replace(clients[0] as Client, open)
  }
  await clock.advance(60 * minute)
  return {
    gateway,
    said,
    outcomes,
    async close() {
      for (const client of clients) await client.close()
      for (const dispatcher of dispatchers) await dispatcher.destroy()
      await gateway.close()
    },
  }
}

async function replace(client: Client, open: () => Client): Promise<Client> {
  await client.close()
  return open()
}

function wordOf(error: unknown): Said['word'] {
  const words: { readonly [Code in AnyGatewayError['code']]?: Said['word'] } = {
    ERR_OUTCOME_UNKNOWN: 'unknown',
    ERR_REQUEST_REFUSED: 'refused',
    ERR_NOT_SENT: 'not-sent',
  }
  const word = isGatewayError(error) ? words[error.code] : undefined
  if (word === undefined) throw error
  return word
}

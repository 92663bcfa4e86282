import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it } from 'vitest'
import {
  AlreadySentError,
  type AttemptMessage,
  type ClientOptions,
  channels,
  createClient,
  onChannel,
  type PollMessage,
  spanAttributes,
} from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { startWatching } from './watching.js'

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Everything the request channels publish, as it was at that moment, and the object itself. */
function listen() {
  const seen: { readonly name: string; readonly shown: unknown; readonly message: object }[] = []
  for (const name of [channels.requestStart, channels.requestError, channels.requestEnd] as const) {
    stops.push(onChannel(name, message => seen.push({ name, shown: { ...message }, message })))
  }
  return seen
}

function open(options: Partial<ClientOptions> = {}) {
  const { dispatcher } = capturing(acceptedBody)
  let now = 1000
  const clock = () => {
    now += 1
    return now
  }
  const base = { baseUrl: 'https://gate.example/paynet', login: 'merchant', controlKey, dispatcher, clock }
  const endpoint = options.endpointGroupId === undefined ? { endpointId: 39 } : {}
  return createClient({ ...base, ...endpoint, ...options })
}

const start = {
  operation: 'sale',
  effect: 'creates',
  scheme: 'control',
  path: '/paynet/api/v2/sale/{endpointId}',
  serverAddress: 'gate.example',
  serverPort: 443,
  startedAt: expect.any(Number),
}

describe('the request channels', () => {
  it('publish one object at the start and, filled in, at the end', async () => {
    const seen = listen()
    await open().sale(saleRequest)
    expect(seen.map(({ name }) => name)).toEqual([channels.requestStart, channels.requestEnd])
    expect(seen[0]?.shown).toEqual(start)
    expect(seen[1]?.shown).toEqual({ ...start, ending: 'accepted', httpStatus: 200, duration: expect.any(Number) })
    expect(seen[0]?.message).toBe(seen[1]?.message)
  })

  it('publish a failure before the end', async () => {
    const seen = listen()
    const dispatcher = {
      reportsStart: true,
      dispatch() {
        throw new Error('no network')
      },
    }
    const error = await open({ dispatcher })
      .sale(saleRequest)
      .catch((thrown: unknown) => thrown)
    expect(seen.map(({ name }) => name)).toEqual([channels.requestStart, channels.requestError, channels.requestEnd])
    const end = { ...start, ending: 'not-sent', duration: expect.any(Number), error }
    expect(seen.slice(1).map(({ shown }) => shown)).toEqual([end, end])
  })

  it('publish that an attempt was not reserved', async () => {
    const seen = listen()
    const refusal = new AlreadySentError('sent before', { operation: 'sale', field: 'clientOrderId' })
    const attempts = { reserve: () => Promise.reject(refusal), settled: async () => {}, changesOf: async () => [] }
    await expect(open({ attempts }).sale(saleRequest)).rejects.toBe(refusal)
    expect(seen.at(-1)).toMatchObject({
      name: channels.requestEnd,
      shown: { ...start, ending: 'not-sent', error: refusal },
    })
  })

  it('publish nothing of a request that is wrong in itself', async () => {
    const seen = listen()
    await expect(open().sale({ ...saleRequest, amount: '1' })).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST' })
    expect(seen).toEqual([])
  })

  it('measure by the client’s clock', async () => {
    const seen = listen()
    let now = 5_000
    const { dispatcher } = capturing(acceptedBody)
    const slow = {
      dispatch(...call: Parameters<typeof dispatcher.dispatch>) {
        now += 1_250
        return dispatcher.dispatch(...call)
      },
    }
    await open({ clock: () => now, dispatcher: slow }).sale(saleRequest)
    expect(seen.at(-1)?.shown).toMatchObject({ startedAt: 5_000, duration: 1_250 })
  })

  it.each([
    [{ baseUrl: 'http://127.0.0.1:8080/' }, '/api/v2/sale/{endpointId}', '127.0.0.1', 8080],
    [{ baseUrl: 'http://localhost' }, '/api/v2/sale/{endpointId}', 'localhost', 80],
    [{ endpointGroupId: 7 }, '/paynet/api/v2/sale/group/{endpointGroupId}', 'gate.example', 443],
  ])('name address and path of %j without the endpoint', async (options, path, serverAddress, serverPort) => {
    const seen = listen()
    await open(options).sale(saleRequest)
    expect(seen[0]?.shown).toMatchObject({ path, serverAddress, serverPort })
  })

  it('hold nothing that differs from order to order', async () => {
    const seen = listen()
    await open({ endpointId: '4711' }).capture(captureRequest)
    const { message } = seen.at(-1) ?? { message: {} }
    expect(JSON.stringify(message)).not.toMatch(/4711|o-1|"77"/)
  })

  it('reach whoever subscribes by name, with nothing of ours', async () => {
    const seen: unknown[] = []
    const note = (message: unknown) => seen.push(message)
    subscribe('tillkit:request:end', note)
    await open().sale(saleRequest)
    unsubscribe('tillkit:request:end', note)
    expect(seen).toMatchObject([{ operation: 'sale', ending: 'accepted' }])
  })
})

describe('the attempt channel', () => {
  it('publishes an attempt when it is reserved and when it has ended, and nothing of what only reads', async () => {
    const seen: AttemptMessage[] = []
    stops.push(onChannel(channels.attempt, message => seen.push(message)))
    const client = open()
    await client.sale(saleRequest)
    await client.status({ clientOrderId: 'o-1' }).catch(() => {})
    expect(seen).toMatchObject([
      { attempt: { operation: 'sale', clientOrderId: 'o-1' } },
      { attempt: { operation: 'sale', clientOrderId: 'o-1' }, end: { kind: 'accepted', orderId: '77' } },
    ])
    expect(seen[0]).not.toHaveProperty('end')
  })
})

describe('the poll channel', () => {
  it('publishes every question of a wait, and how it ended', async () => {
    const seen: PollMessage[] = []
    const watching = await startWatching()
    const question = await watching.sell()
    stops.push(onChannel(channels.poll, message => seen.push(message)))
    watching.answerStatus('hang-up', { status: 'processing' })
    await watching.client.awaitOutcome(question)
    await watching.close()
    expect(seen).toEqual([
      { stages: ['sale'], count: 1, answer: 'no-answer', nextIn: 3000 },
      { stages: ['sale'], count: 2, answer: 'other-order', nextIn: 3000 },
      { stages: ['sale'], count: 3, answer: 'settled', outcome: 'approved' },
    ])
    expect(watching.pauses).toEqual([3000, 3000])
  })
})

describe('spanAttributes', () => {
  it('names a request as OpenTelemetry does', async () => {
    const seen = listen()
    await open().sale(saleRequest)
    expect(spanAttributes((seen[1]?.message ?? {}) as Parameters<typeof spanAttributes>[0])).toEqual({
      'http.request.method': 'POST',
      'url.template': '/paynet/api/v2/sale/{endpointId}',
      'server.address': 'gate.example',
      'server.port': 443,
      'http.response.status_code': 200,
      'tillkit.operation': 'sale',
      'tillkit.effect': 'creates',
      'tillkit.scheme': 'control',
      'tillkit.ending': 'accepted',
    })
  })
})

import { describe, expect, it } from 'vitest'
import {
  type ClientObserver,
  type ClientOptions,
  createClient,
  type EndedRequest,
  type Poll,
  spanAttributes,
} from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { startWatching } from './watching.js'

/** What an observer is told of requests, as it was at that moment, and the object itself. */
function listen() {
  const seen: { readonly name: string; readonly shown: unknown; readonly message: object }[] = []
  const see = (name: string) => (message: object) => void seen.push({ name, shown: { ...message }, message })
  const observer: ClientObserver = { requestStart: see('start'), requestEnd: see('end') }
  return { seen, observer }
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

describe('requestStart and requestEnd', () => {
  it('get one object at the start and, filled in, at the end', async () => {
    const { seen, observer } = listen()
    await open({ observer }).sale(saleRequest)
    expect(seen.map(({ name }) => name)).toEqual(['start', 'end'])
    expect(seen[0]?.shown).toEqual(start)
    expect(seen[1]?.shown).toEqual({ ...start, ending: 'accepted', httpStatus: 200, duration: expect.any(Number) })
    expect(seen[0]?.message).toBe(seen[1]?.message)
  })

  it('get the error of a failure', async () => {
    const { seen, observer } = listen()
    const dispatcher = {
      reportsStart: true,
      dispatch() {
        throw new Error('no network')
      },
    }
    const error = await open({ dispatcher, observer })
      .sale(saleRequest)
      .catch((thrown: unknown) => thrown)
    expect(seen.map(({ name }) => name)).toEqual(['start', 'end'])
    const end = { ...start, ending: 'not-sent', duration: expect.any(Number), error }
    expect(seen.slice(1).map(({ shown }) => shown)).toEqual([end])
  })

  it('get nothing of a request that is wrong in itself', async () => {
    const { seen, observer } = listen()
    await expect(open({ observer }).sale({ ...saleRequest, amount: '1' })).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
    })
    expect(seen).toEqual([])
  })

  it('measure by the client’s clock', async () => {
    const { seen, observer } = listen()
    let now = 5_000
    const { dispatcher } = capturing(acceptedBody)
    const slow = {
      dispatch(...call: Parameters<typeof dispatcher.dispatch>) {
        now += 1_250
        return dispatcher.dispatch(...call)
      },
    }
    await open({ clock: () => now, dispatcher: slow, observer }).sale(saleRequest)
    expect(seen.at(-1)?.shown).toMatchObject({ startedAt: 5_000, duration: 1_250 })
  })

  it.each([
    [{ baseUrl: 'http://127.0.0.1:8080/' }, '/api/v2/sale/{endpointId}', '127.0.0.1', 8080],
    [{ baseUrl: 'http://localhost' }, '/api/v2/sale/{endpointId}', 'localhost', 80],
    [{ endpointGroupId: 7 }, '/paynet/api/v2/sale/group/{endpointGroupId}', 'gate.example', 443],
  ])('name address and path of %j without the endpoint', async (options, path, serverAddress, serverPort) => {
    const { seen, observer } = listen()
    await open({ ...options, observer }).sale(saleRequest)
    expect(seen[0]?.shown).toMatchObject({ path, serverAddress, serverPort })
  })

  it('hold nothing that differs from order to order', async () => {
    const { seen, observer } = listen()
    await open({ endpointId: '4711', observer }).capture(captureRequest)
    const { message } = seen.at(-1) ?? { message: {} }
    expect(JSON.stringify(message)).not.toMatch(/4711|o-1|"77"/)
  })

  it('pass an outcome on although the clock fails, and cannot break a call', async () => {
    let calls = 0
    const clock = () => {
      calls += 1
      // Until the request has started it is asked five times, and nothing would be sent without it.
      if (calls > 5) throw new Error('no clock')
      return 1000
    }
    const { seen, observer } = listen()
    expect(await open({ clock, observer }).sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(seen.map(({ name }) => name)).toEqual(['start'])
    const broken = () => {
      throw new Error('logging is down')
    }
    const broke = open({ observer: { requestStart: broken, requestEnd: broken, attempt: broken } })
    expect(await broke.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })
})

describe('attempt', () => {
  it('gets an attempt when it is reserved and when it has ended, and nothing of what only reads', async () => {
    const seen: unknown[] = []
    const client = open({ observer: { attempt: (...told) => void seen.push(told.filter(each => each !== undefined)) } })
    await client.sale(saleRequest)
    await client.status({ clientOrderId: 'o-1' }).catch(() => {})
    expect(seen).toMatchObject([
      [{ operation: 'sale', clientOrderId: 'o-1' }],
      [
        { operation: 'sale', clientOrderId: 'o-1' },
        { kind: 'accepted', orderId: '77' },
      ],
    ])
    expect(seen[0]).toHaveLength(1)
  })
})

describe('poll', () => {
  it('gets every question of a wait, and how it ended', async () => {
    const seen: Poll[] = []
    const watching = await startWatching()
    const question = await watching.sell()
    const client = watching.another({ observer: { poll: poll => seen.push(poll) } })
    watching.answerStatus('hang-up', { status: 'processing' })
    await client.awaitOutcome(question)
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
    const { seen, observer } = listen()
    await open({ observer }).sale(saleRequest)
    expect(spanAttributes(seen[1]?.message as EndedRequest)).toEqual({
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

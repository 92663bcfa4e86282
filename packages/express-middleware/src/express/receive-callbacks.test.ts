import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { defineProfile } from '@tillkit/protocol'
import { assertNoSecrets } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { callbackDesk, callbackQuery, controlKey, price, statusReply } from '../../test/callback-desk.js'
import { oldest, serve, versions } from '../../test/serve.js'
import type { ReceiveCallbacksOptions } from '../index.js'
import { receiveCallbacks } from './callbacks.js'

const [, express] = versions[2]

/** Serves a desk and sends it one callback after the other. @returns Status and body of each answer. */
async function answersOf(desk: ReturnType<typeof callbackDesk>, queries: readonly string[]) {
  const app = express()
  app.all('/callback', desk.handler)
  await using served = await serve(app)
  const answers: [number, string][] = []
  for (const query of queries) {
    const response = await fetch(`${served.origin}/callback?${query}`)
    answers.push([response.status, await response.text()])
  }
  return answers
}

describe.each(oldest)('receiveCallbacks under %s', (_version, express) => {
  it.each(['GET', 'POST'])(
    'calls the merchant’s function with what status says, and answers 200 to a %s',
    async method => {
      const desk = callbackDesk()
      const app = express()
      app.all('/callback', desk.handler)
      await using served = await serve(app)
      const address = `${served.origin}/callback`
      const response =
        method === 'GET'
          ? await fetch(`${address}?${callbackQuery()}`)
          : await fetch(address, { method, body: new URLSearchParams(callbackQuery()) })
      expect([response.status, await response.text()]).toEqual([200, 'OK'])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(desk.told).toEqual([
        {
          kind: 'paid',
          outcome: 'approved',
          moneyMoved: 'captured',
          stage: 'sale',
          clientOrderId: 'o-1',
          orderId: '77',
          ...price,
          isOver: expect.any(Function),
          reply: statusReply(),
          callback: {
            signed: { status: 'approved', orderId: '77', clientOrderId: 'o-1' },
            unsigned: {},
            keyLabel: 'key 1',
          },
        },
      ])
      expect(desk.asked).toEqual([{ clientOrderId: 'o-1', orderId: '77' }])
    },
  )

  it('answers a forged callback with 403 and not a word, and asks nothing', async () => {
    const desk = callbackDesk()
    const app = express()
    app.all('/callback', desk.handler)
    await using served = await serve(app)
    const response = await fetch(`${served.origin}/callback?${callbackQuery({}, 'another key')}`)
    expect([response.status, await response.text()]).toEqual([403, ''])
    expect(desk.rejections.map(({ reason }) => reason)).toEqual(['control-mismatch'])
    expect([desk.asked, desk.told]).toEqual([[], []])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('the database is away'))],
    [
      'throws at once',
      () => {
        throw new Error('the database is away')
      },
    ],
  ])(
    'is answered 503 where the merchant’s function %s, whatever the error page says, and calls it again',
    async (_case, handle) => {
      const desk = callbackDesk()
      desk.desk.handle = handle
      const app = express()
      const seen: unknown[] = []
      app.all('/callback', (request, response, next) =>
        desk.handler(request, response, error => {
          seen.push(error)
          next(error)
        }),
      )
      app.use((_error: unknown, _request: unknown, response: { send(text: string): void }, _next: unknown) => {
        response.send('Something went wrong.')
      })
      await using served = await serve(app)
      const send = async () => (await fetch(`${served.origin}/callback?${callbackQuery()}`)).status
      expect(await send()).toBe(503)
      expect(seen).toMatchObject([{ code: 'ERR_CALLBACK_UNSETTLED', cause: { message: 'the database is away' } }])
      desk.desk.handle = () => undefined
      // A repetition of what was answered with 200 is the merchant’s to bear.
      expect([await send(), await send()]).toEqual([200, 200])
      expect(desk.told).toHaveLength(3)
    },
  )
})

describe('the answer to a verified callback', () => {
  it.each<[string, number, string, number, (desk: ReturnType<typeof callbackDesk>) => void]>([
    [
      'status is not final yet',
      503,
      'not-final',
      1,
      ({ desk }) => Object.assign(desk, { status: () => statusReply({ status: 'processing' }) }),
    ],
    [
      'status uses a word nobody knows',
      503,
      'not-final',
      1,
      ({ desk }) => Object.assign(desk, { status: () => statusReply({ status: 'reconciling' }) }),
    ],
    [
      'status cannot be asked',
      503,
      'no-answer',
      1,
      ({ desk }) => Object.assign(desk, { status: () => Promise.reject(new Error('timeout')) }),
    ],
    [
      'status speaks of another order',
      503,
      'other-order',
      1,
      ({ desk }) => Object.assign(desk, { status: () => statusReply({ orderId: '78' }) }),
    ],
    [
      'status leaves out an id',
      503,
      'other-order',
      1,
      ({ desk }) => Object.assign(desk, { status: () => ({ ...statusReply(), orderId: undefined }) }),
    ],
  ])('where %s is %i', async (_case, status, reason, asked, arrange) => {
    const desk = callbackDesk()
    arrange(desk)
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[status, '']])
    expect(desk.reports).toMatchObject([{ kind: reason, status, callback: { signed: { status: 'approved' } } }])
    expect([desk.asked.length, desk.told]).toEqual([asked, []])
  })

  it('is 503 where the reply names the merchant’s order and another one of the gateway', async () => {
    const desk = callbackDesk()
    desk.desk.status = ({ clientOrderId = '' }) => statusReply({ clientOrderId })
    expect(await answersOf(desk, [callbackQuery({ orderid: '78' })])).toEqual([[503, '']])
    expect(desk.reports).toMatchObject([{ kind: 'other-order' }])
    expect([desk.asked, desk.told]).toEqual([[{ clientOrderId: 'o-1', orderId: '78' }], []])
  })

  it('is 200 with another amount or currency, and the merchant sees that it is not the price', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ amount: '1.00' })
    await answersOf(desk, [callbackQuery()])
    desk.desk.status = () => statusReply({ currency: 'USD' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told.map(({ amount, currency, isOver }) => [amount, currency, isOver(price)])).toEqual([
      ['1.00', 'EUR', false],
      ['10.00', 'USD', false],
    ])
  })

  it('is 200 with what status says of a correction', async () => {
    const desk = callbackDesk()
    await answersOf(desk, [callbackQuery()])
    desk.desk.status = () => statusReply({ status: 'declined' })
    expect(await answersOf(desk, [callbackQuery({ status: 'declined' })])).toEqual([[200, 'OK']])
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid', 'declined'])
  })

  it('is read by the wire profile that is given', async () => {
    const desk = callbackDesk({ profile: defineProfile({ stages: { purchase: 'sale' } }) })
    desk.desk.status = () => statusReply({ transactionType: 'purchase' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'paid', stage: 'sale' }])
  })
})

describe('receiveCallbacks for several merchants', () => {
  const keys: Readonly<Record<string, string>> = { north: 'key of north', south: 'key of south' }
  const several = (own: Partial<ReceiveCallbacksOptions> = {}) => {
    const desk = callbackDesk()
    const shops: string[] = []
    const merchant: ReceiveCallbacksOptions['merchant'] = (_ids, request) => {
      const login = String(request?.query.shop)
      const controlKeys = Object.hasOwn(keys, login) ? keys[login] : undefined
      return controlKeys === undefined ? undefined : { controlKeys, client: desk.client }
    }
    const onStatus: ReceiveCallbacksOptions['onStatus'] = (_status, { query }) => void shops.push(String(query.shop))
    return { ...desk, shops, handler: receiveCallbacks({ ...desk.options, merchant, onStatus, ...own }) }
  }

  it('checks with the keys of the one it is for, and hands the request on', async () => {
    const desk = several()
    const queries = ['north', 'south'].map(shop => `${callbackQuery({}, keys[shop])}&shop=${shop}`)
    expect((await answersOf(desk, queries)).map(([status]) => status)).toEqual([200, 200])
    expect(desk.shops).toEqual(['north', 'south'])
  })

  it.each([
    ['no method "status"', () => ({ controlKeys: controlKey, client: {} as never })],
    ['no client', () => ({ controlKeys: controlKey }) as never],
  ])('answers 503 where the one that is found has %s', async (_case, merchant) => {
    const desk = callbackDesk({ merchant })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([503])
    expect(desk.reports).toMatchObject([{ kind: 'failed', cause: expect.any(TypeError) }])
    expect(desk.told).toEqual([])
  })

  it.each([
    ['another merchant signed', `${callbackQuery({}, keys.south)}&shop=north`, 'control-mismatch'],
    ['nobody is found for', `${callbackQuery({}, keys.south)}&shop=west`, 'unknown-merchant'],
  ])('refuses what %s', async (_case, query, reason) => {
    const desk = several()
    expect(await answersOf(desk, [query])).toEqual([[403, '']])
    expect(desk.rejections.map(rejection => rejection.reason)).toEqual([reason])
    expect(desk.asked).toEqual([])
  })
})

describe('a zero byte, on which lookups in a database fail', () => {
  it.each(['status', 'orderid', 'merchant_order'])('is refused in %s before anybody looks', async name => {
    const merchant = vi.fn()
    const desk = callbackDesk({ merchant })
    expect(await answersOf(desk, [callbackQuery({ [name]: 'a\0b' })])).toEqual([[403, '']])
    expect(desk.rejections.map(({ reason }) => reason)).toEqual(['undecodable'])
    expect(merchant).not.toHaveBeenCalled()
  })
})

describe('receiveCallbacks elsewhere', () => {
  const connect: () => ((...parts: unknown[]) => void) & { use(handler: unknown): void } = createRequire(
    import.meta.url,
  )('connect')

  it.each([
    [
      'node:http',
      (desk: ReturnType<typeof callbackDesk>) => (request: never, response: never) =>
        void desk.handler(request, response),
    ],
    [
      'Connect',
      (desk: ReturnType<typeof callbackDesk>) => {
        const app = connect()
        app.use(desk.handler)
        return app
      },
    ],
  ])('answers under %s as under Express', async (_name, listenerOf) => {
    const desk = callbackDesk()
    const server = createServer(listenerOf(desk) as never)
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const send = async (query: string) => (await fetch(`http://127.0.0.1:${port}/callback?${query}`)).status
    const body = new URLSearchParams(callbackQuery())
    try {
      expect(await send(callbackQuery({}, 'another key'))).toBe(403)
      expect(await send(callbackQuery({ merchant_order: 'o-2' }))).toBe(503)
      desk.desk.handle = () => Promise.reject(new Error('away'))
      expect(await send(callbackQuery())).toBe(503)
      desk.desk.handle = () => undefined
      expect((await fetch(`http://127.0.0.1:${port}/callback`, { method: 'POST', body })).status).toBe(200)
    } finally {
      server.close()
      server.closeAllConnections()
    }
    expect(desk.told).toHaveLength(2)
  })
})

describe('the options of receiveCallbacks', () => {
  const { options } = callbackDesk()
  const { merchant } = options
  it.each([
    ['"merchant.controlKeys"', { merchant: { ...merchant, controlKeys: '' } }],
    ['"status"', { merchant: { ...merchant, client: {} } }],
    ['"merchant" has a "controlKey"', { merchant: { ...merchant, controlKeys: undefined, controlKey: 'key' } }],
    ['"merchant"', { merchant: undefined }],
    ['"onStatus"', { onStatus: undefined }],
    ['"onStatus"', { onStatus: 'log' }],
    ['"budget"', { budget: 0 }],
    ['"interval"', { interval: -1 }],
    ['"store"', { store: {} }],
    ['"onReport"', { onReport: 5 }],
    ['"maxBodyBytes"', { maxBodyBytes: 0 }],
    ['"onRejected"', { onRejected: 5 }],
    ['"profile"', { profile: {} }],
    ['"colour"', { colour: 'blue' }],
  ])('are refused when %s is wrong', (name, wrong) => {
    const build = () => receiveCallbacks({ ...options, ...wrong } as unknown as ReceiveCallbacksOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(name)
  })

  it('do not let the control key or a control value into a report', async () => {
    const desk = callbackDesk()
    await answersOf(desk, [callbackQuery(), callbackQuery({}, 'another key'), callbackQuery({ merchant_order: 'x' })])
    assertNoSecrets([desk.reports, desk.rejections, desk.told], { 'the control key': controlKey })
    expect(JSON.stringify([desk.reports, desk.rejections])).not.toMatch(/[0-9a-f]{40}/)
  })
})

import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type AwaitedStage, defineProfile, memoryStore, orderTotals } from '@tillkit/protocol'
import { assertNoSecrets } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { callbackDesk, callbackQuery, controlKey, statusReply } from '../../test/callback-desk.js'
import { keepAnswer, keepPayment, partialReturn, paymentOf, paymentsIn, sale } from '../../test/kept-payments.js'
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
  it.each(['GET', 'POST'])('tells of the outcome and answers 200 to a %s', async method => {
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
    expect(desk.told).toMatchObject([
      {
        kind: 'paid',
        outcome: 'approved',
        moneyMoved: 'captured',
        evidence: 'status-reply',
        isExpected: true,
        login: 'merchant',
        reference: 'o-1',
        order: { clientOrderId: 'o-1', orderId: '77' },
        stage: { stage: 'sale', amount: '10.00', currency: 'EUR' },
        idempotencyKey: 'merchant/o-1/sale/1/1',
      },
    ])
    expect(desk.asked).toEqual([{ clientOrderId: 'o-1', orderId: '77' }])
  })

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
  ])('is answered 503 where the handler %s, whatever the error page says, and told again', async (_case, handle) => {
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
    expect([await send(), await send()]).toEqual([200, 200])
    const [first, second] = desk.told.map(({ fencingToken }) => fencingToken)
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY)
    expect(desk.told).toHaveLength(2)
    expect(new Set(desk.told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })
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

  it('is 200 where the store has no such order, whose ids are kept for a person, and nothing is asked', async () => {
    const desk = callbackDesk()
    const query = callbackQuery({ merchant_order: 'o-2' })
    expect(await answersOf(desk, [query, query])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(desk.reports).toMatchObject([{ kind: 'unmatched' }, { kind: 'unmatched' }])
    expect([desk.asked, desk.told, await paymentOf(desk.payments, 'o-2')]).toEqual([[], [], undefined])
    const { items, total } = await desk.options.store.list({ list: 'unmatched', limit: 9 })
    expect([total, JSON.parse(items[0]?.body ?? '').orders]).toMatchObject([
      1,
      [{ login: 'merchant', clientOrderId: 'o-2', orderId: '77' }],
    ])
  })

  it('is 503 and asks nothing where the order is known under another id', async () => {
    const desk = callbackDesk()
    expect(await answersOf(desk, [callbackQuery({ orderid: '78' })])).toEqual([[503, '']])
    expect(desk.reports).toMatchObject([{ kind: 'other-order' }])
    expect(desk.asked).toEqual([])
  })

  it('is 200 where it comes before the gateway has answered the request that made the order', async () => {
    const desk = callbackDesk({}, [{ end: { kind: 'unknown', at: sale.reservedAt } }])
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.asked).toEqual([{ clientOrderId: 'o-1', orderId: '77' }])
    expect(desk.told).toMatchObject([{ kind: 'paid', order: { orderId: '77' } }])
  })

  it('is 503 where status speaks of money that nobody asked for, which a person is told of', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ transactionType: 'preauth' })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([503])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'not-asked-for', stage: { stage: 'preauth' } }])
    expect(desk.reports).toMatchObject([{ kind: 'not-final' }])
  })

  it('is 200 once a person was told of another amount, and that is never payment', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ amount: '1.00' })
    expect(await answersOf(desk, [callbackQuery(), callbackQuery()])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs', stage: { amount: '1.00' } }])
    expect(desk.told[0]).not.toHaveProperty('outcome')
    // A gateway that says something else later has contradicted itself: that too is for a person.
    await desk.clock.advance(1)
    desk.desk.status = () => statusReply({ amount: '10' })
    await answersOf(desk, [callbackQuery()])
    expect(desk.told.map(({ kind }) => kind)).toEqual(['disputed', 'disputed'])
  })

  it('is 200 once a person was told of another currency', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ currency: 'USD' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs' }])
  })

  it('is 200 where it was told already, as after the customer came back first', async () => {
    const desk = callbackDesk()
    await answersOf(desk, [callbackQuery(), callbackQuery()])
    expect(desk.reports.map(({ kind, status }) => [kind, status])).toEqual([
      ['told', 200],
      ['known', 200],
    ])
    expect(desk.told).toHaveLength(1)
  })
})

describe('what an outcome means', () => {
  it.each<[AwaitedStage, string, string]>([
    ['sale', 'approved', 'paid'],
    ['sale', 'declined', 'declined'],
    ['sale', 'filtered', 'declined'],
    ['sale', 'error', 'declined'],
    ['preauth', 'approved', 'held'],
    ['capture', 'approved', 'paid'],
    ['capture', 'declined', 'failed'],
    ['reversal', 'approved', 'returned'],
    ['reversal', 'declined', 'failed'],
    ['cancel', 'approved', 'released'],
    ['transfer', 'approved', 'sent'],
  ])('of a %s that is %s is %s', async (stage, status, kind) => {
    const effect = ['capture', 'reversal', 'cancel'].includes(stage) ? 'changes' : 'creates'
    const desk = callbackDesk({}, [{ effect, stages: [stage] }])
    desk.desk.status = () => statusReply({ status, transactionType: stage })
    expect(await answersOf(desk, [callbackQuery({ status })])).toEqual([[200, 'OK']])
    expect(desk.told.map(outcome => outcome.kind)).toEqual([kind])
  })
})

describe('outcomes of one order', () => {
  it('are told once each: a sale, a chargeback that nobody waits for, and a correction', async () => {
    const desk = callbackDesk()
    await answersOf(desk, [callbackQuery()])
    desk.desk.status = () => statusReply({ transactionType: 'chargeback', amount: '4.00' })
    await answersOf(desk, [callbackQuery(), callbackQuery()])
    expect(desk.told).toMatchObject([
      { kind: 'paid' },
      { kind: 'chargeback', stage: { stage: 'chargeback', amount: '4.00' }, isExpected: false },
    ])
    await desk.clock.advance(1)
    desk.desk.status = () => statusReply({ status: 'declined' })
    const declined = callbackQuery({ status: 'declined' })
    expect(await answersOf(desk, [declined, declined])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(desk.told.slice(2)).toMatchObject([
      { kind: 'disputed', reason: 'corrected', stage: { stage: 'sale', status: 'approved' } },
    ])
  })

  it('are three where three partial chargebacks come one after the other, told again while the handler fails', async () => {
    const desk = callbackDesk()
    await answersOf(desk, [callbackQuery()])
    desk.told.length = 0
    let isDown = true
    desk.desk.handle = ({ stage: { amount } }) => {
      if (isDown && amount === '3.00') throw new Error('the ledger is away')
    }
    const answers: number[] = []
    for (const amount of ['4.00', '4.00', '3.00', '3.00', '1.00', '4']) {
      desk.desk.status = () => statusReply({ transactionType: 'chargeback', amount })
      await desk.clock.advance(1)
      answers.push(...(await answersOf(desk, [callbackQuery()])).map(([status]) => status))
      isDown = answers.length < 3
    }
    expect(answers).toEqual([200, 200, 503, 200, 200, 200])
    expect(desk.told.map(({ kind, stage }) => [kind, stage.amount])).toEqual([
      ['chargeback', '4.00'],
      ['chargeback', '3.00'],
      ['chargeback', '3.00'],
      ['chargeback', '1.00'],
    ])
    expect(new Set(desk.told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
  })

  it('are two where two equal partial returns have their serial numbers', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a'), partialReturn('sn-b')], [statusReply()])
    desk.desk.status = ({ byRequestSn }) =>
      statusReply({
        transactionType: 'reversal',
        amount: '3.00',
        ...(byRequestSn === undefined ? {} : { byRequestSn }),
      })
    expect(await answersOf(desk, [callbackQuery(), callbackQuery()])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(desk.told).toMatchObject([
      { kind: 'paid' },
      { kind: 'returned', stage: { serialNumber: 'sn-a' }, isExpected: true },
      { kind: 'returned', stage: { serialNumber: 'sn-b' }, isExpected: true },
    ])
    expect(desk.asked.map(({ byRequestSn }) => byRequestSn)).toEqual(['sn-a', 'sn-b', undefined, undefined])
  })

  it('are told of a chargeback also while a return is waited for by its serial number', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a')], [statusReply()])
    desk.desk.status = ({ byRequestSn }) =>
      byRequestSn === undefined
        ? statusReply({ transactionType: 'chargeback', amount: '7.00' })
        : statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([
      { kind: 'paid' },
      { kind: 'returned', stage: { stage: 'reversal', serialNumber: 'sn-a' }, isExpected: true },
      { kind: 'chargeback', stage: { stage: 'chargeback', amount: '7.00' }, isExpected: false },
    ])
  })

  it('are told with everything that is known of the order', async () => {
    const amounts: Readonly<Record<string, string>> = { 'sn-a': '3.00', 'sn-b': '2.00' }
    const returns = Object.entries(amounts).map(([serialNumber, amount]) => partialReturn(serialNumber, amount))
    const desk = callbackDesk({}, [{}, ...returns], [statusReply()])
    desk.desk.status = ({ byRequestSn = 'sn-b' }) =>
      statusReply({ transactionType: 'reversal', amount: amounts[byRequestSn] ?? '', byRequestSn })
    await answersOf(desk, [callbackQuery()])
    expect(desk.told.map(({ stage: { amount } }) => amount)).toEqual(['10.00', '3.00', '2.00'])
    expect(desk.told.map(({ order }) => orderTotals(order)?.returned)).toEqual(['5.00', '5.00', '5.00'])
  })

  it.each<[AwaitedStage, string]>([
    ['reversal', 'returned'],
    ['cancel', 'released'],
    ['void', 'released'],
  ])('count a %s that a person made at the gateway, as none that was asked for', async (stage, kind) => {
    const desk = callbackDesk({}, [{}], [statusReply()])
    desk.desk.status = () => statusReply({ transactionType: stage, amount: '3.00' })
    const answers = await answersOf(desk, [callbackQuery(), callbackQuery()])
    expect(answers.map(([status]) => status)).toEqual([200, 200])
    expect(desk.told).toMatchObject([
      { kind: 'paid', isExpected: true },
      { kind, stage: { stage, amount: '3.00' }, isExpected: false },
    ])
    expect(desk.reports.map(({ kind }) => kind)).toEqual(['told', 'known'])
  })

  it('count a return of the merchant’s own once, whose callback comes before the answer with its serial number', async () => {
    const store = memoryStore()
    const own = { ...partialReturn('sn-a'), end: { kind: 'unknown', at: sale.reservedAt } } as const
    await keepPayment(paymentsIn(store), [{}, own], [statusReply()])
    const desk = callbackDesk({ store })
    desk.desk.status = () => statusReply({ transactionType: 'reversal', amount: '3.00' })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([200])
    await keepAnswer(desk.payments, 'a-2', { kind: 'accepted', at: sale.reservedAt, serialNumber: 'sn-a' })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([200])
    expect(desk.told.slice(1)).toMatchObject([
      { kind: 'returned', stage: { stage: 'reversal', amount: '3.00' }, isExpected: true },
    ])
  })

  it.each<AwaitedStage>(['chargeback', 'reversal'])(
    'are as many as there are amounts where a %s comes several times',
    async stage => {
      const desk = callbackDesk({}, [{}], [statusReply()])
      for (const amount of ['3.00', '4.0', '4.00', '5.00']) {
        await desk.clock.advance(1_000)
        desk.desk.status = () => statusReply({ transactionType: stage, amount })
        await answersOf(desk, [callbackQuery()])
        await desk.clock.advance(60_000)
        await answersOf(desk, [callbackQuery()])
      }
      expect(desk.told.map(({ stage: { amount } }) => amount)).toEqual(['10.00', '3.00', '4.0', '5.00'])
    },
  )

  it('are told though the latest reply lags behind', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a')], [statusReply()])
    desk.desk.status = ({ byRequestSn }) =>
      byRequestSn === undefined
        ? statusReply()
        : statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.reports).toMatchObject([{ kind: 'told' }])
  })

  it('are not all told while status shows another one than it was asked about', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a'), partialReturn('sn-b')], [statusReply()])
    desk.desk.status = () => statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn: 'sn-a' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told.slice(1).map(({ stage }) => stage.serialNumber)).toEqual(['sn-a'])
    expect(desk.reports).toMatchObject([{ kind: 'not-final' }])
  })

  it('are read by the wire profile that is given', async () => {
    const desk = callbackDesk({ profile: defineProfile({ stages: { purchase: 'sale' } }) })
    desk.desk.status = () => statusReply({ transactionType: 'purchase' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'paid', stage: { stage: 'sale' } }])
  })

  it('are not all told while one of several is still open', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a'), partialReturn('sn-b')], [statusReply()])
    desk.desk.status = ({ byRequestSn }) =>
      statusReply({
        transactionType: 'reversal',
        amount: '3.00',
        status: byRequestSn === 'sn-a' ? 'approved' : 'processing',
        ...(byRequestSn === undefined ? {} : { byRequestSn }),
      })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told.slice(1).map(({ stage }) => stage.serialNumber)).toEqual(['sn-a'])
    expect(desk.reports).toMatchObject([{ kind: 'not-final' }])
  })

  it('are told as far as status answered, where a later question is not', async () => {
    const desk = callbackDesk({}, [{}, partialReturn('sn-a'), partialReturn('sn-b')], [statusReply()])
    desk.desk.status = ({ byRequestSn }) => {
      if (byRequestSn !== 'sn-a') throw new Error('timeout')
      return statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn })
    }
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told.slice(1).map(({ stage }) => stage.serialNumber)).toEqual(['sn-a'])
    expect(desk.reports).toMatchObject([{ kind: 'no-answer' }])
  })
})

describe('receiveCallbacks for several merchants', () => {
  const keys: Readonly<Record<string, string>> = { north: 'key of north', south: 'key of south' }
  const several = () => {
    const store = memoryStore()
    const desk = callbackDesk({ store })
    const merchant: ReceiveCallbacksOptions['merchant'] = (_ids, request) => {
      const login = String(request?.query.shop)
      const controlKeys = Object.hasOwn(keys, login) ? keys[login] : undefined
      if (controlKeys === undefined) return undefined
      return { controlKeys, client: { ...desk.client, payments: paymentsIn(store, login) } }
    }
    for (const login of Object.keys(keys)) void keepPayment(paymentsIn(store, login), [{ login }])
    return { ...desk, handler: receiveCallbacks({ ...desk.options, merchant }) }
  }

  it('checks with the keys of the one it is for, and tells their outcomes apart', async () => {
    const desk = several()
    const queries = ['north', 'south'].map(shop => `${callbackQuery({}, keys[shop])}&shop=${shop}`)
    expect((await answersOf(desk, queries)).map(([status]) => status)).toEqual([200, 200])
    expect(desk.told.map(({ login }) => login)).toEqual(['north', 'south'])
  })

  it('answers 503 and asks nothing where the one that is found keeps its payments elsewhere', async () => {
    const desk = callbackDesk()
    const elsewhere = { ...desk.client, payments: paymentsIn(memoryStore()) }
    const handler = receiveCallbacks({
      ...desk.options,
      merchant: () => ({ controlKeys: controlKey, client: elsewhere }),
    })
    expect((await answersOf({ ...desk, handler }, [callbackQuery()])).map(([status]) => status)).toEqual([503])
    expect(desk.reports).toMatchObject([{ kind: 'failed', cause: expect.any(TypeError) }])
    expect([desk.asked, desk.told]).toEqual([[], []])
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
      expect(await send(callbackQuery({ merchant_order: 'o-2' }))).toBe(200)
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
    ['createClient({ …, store })', { merchant: { ...merchant, client: { status: async () => statusReply() } } }],
    ['keeps its payments in another store', { store: memoryStore() }],
    ['"store"', { store: undefined }],
    ['"store"', { store: { read: () => undefined } }],
    ['"onOutcome"', { onOutcome: 'log' }],
    ['"acknowledge"', { acknowledge: 'at-once' }],
    ['"budget"', { budget: 0 }],
    ['"lease"', { lease: -1 }],
    ['"interval"', { interval: -1 }],
    ['"concurrency"', { concurrency: 0 }],
    ['"schedule"', { retry: [] }],
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

import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import {
  type AwaitedStage,
  defineProfile,
  type Expectation,
  emptyOrder,
  orderTotals,
  reduceOrder,
} from '@tillkit/protocol'
import { assertNoSecrets } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { callbackDesk, callbackQuery, controlKey, price, statusReply } from '../../test/callback-desk.js'
import { serve, versions } from '../../test/serve.js'
import { type AwaitedOrder, memoryInbox } from '../core.js'
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

/** An order of which the sale is awaited, and what a test adds. */
const awaiting = (expected: AwaitedOrder['expected'], known = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })) => ({
  order: () => ({ order: known, expected }),
})

describe.each(versions)('receiveCallbacks under %s', (_version, express) => {
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
        order: { clientOrderId: 'o-1', orderId: '77' },
        stage: { stage: 'sale', amount: '10.00', currency: 'EUR' },
        idempotencyKey: 'merchant/o-1/77/sale//approved/0',
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
    expect(desk.told.map(({ fencingToken }) => fencingToken)).toEqual([1, 2])
    expect(new Set(desk.told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })
})

describe('the answer to a verified callback', () => {
  it.each<[string, number, string, number, (desk: ReturnType<typeof callbackDesk>) => void]>([
    ['nothing is known of the order', 503, 'unknown-order', 0, () => undefined],
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
    [
      'status speaks of what nobody waits for',
      503,
      'not-expected',
      1,
      ({ desk }) => Object.assign(desk, { status: () => statusReply({ transactionType: 'preauth' }) }),
    ],
  ])('where %s is %i', async (_case, status, reason, asked, arrange) => {
    const desk = callbackDesk()
    arrange(desk)
    const query = reason === 'unknown-order' ? callbackQuery({ merchant_order: 'o-2' }) : callbackQuery()
    expect(await answersOf(desk, [query])).toEqual([[status, '']])
    expect(desk.reports).toMatchObject([{ kind: reason, status, callback: { signed: { status: 'approved' } } }])
    expect([desk.asked.length, desk.told]).toEqual([asked, []])
  })

  it('is 503 and asks nothing where the order is known under another id', async () => {
    const desk = callbackDesk(
      awaiting({ stages: ['sale'], ...price }, emptyOrder({ clientOrderId: 'o-1', orderId: '78' })),
    )
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.reports).toMatchObject([{ kind: 'other-order' }])
    expect(desk.asked).toEqual([])
  })

  it('is 503 and says how to write it where an order came without what is awaited', async () => {
    const desk = callbackDesk({ order: () => emptyOrder({ clientOrderId: 'o-1' }) as never })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([503])
    expect(desk.reports[0]?.explanation).toContain('Option "order" must return { order, expected }')
    expect(desk.asked).toEqual([])
  })

  it('is 200 once a person was told of another amount, and that is not payment', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ amount: '1.00' })
    expect(await answersOf(desk, [callbackQuery(), callbackQuery()])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs', stage: { amount: '1.00' } }])
    expect(desk.told[0]).not.toHaveProperty('outcome')
    // Once the merchant has put right what it expects, it is paid.
    desk.desk.status = () => statusReply({ amount: '10' })
    await answersOf(desk, [callbackQuery()])
    expect(desk.told.map(({ kind }) => kind)).toEqual(['disputed', 'paid'])
  })

  it('is 200 once a person was told of another currency', async () => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ currency: 'USD' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs' }])
  })

  it('is 200 where the order says the same already, as after the customer came back first', async () => {
    const known = reduceOrder(emptyOrder({ clientOrderId: 'o-1', orderId: '77' }), { reply: statusReply(), askedAt: 1 })
    const desk = callbackDesk(awaiting([], known))
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.reports).toMatchObject([{ kind: 'known' }])
    expect(desk.told).toEqual([])
  })

  it('is 503 where nothing is waited for and status has news', async () => {
    const desk = callbackDesk(awaiting([]))
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.reports).toMatchObject([{ kind: 'not-expected' }])
  })

  it('is 503 where nothing is waited for and the gateway takes back what the order says', async () => {
    const known = reduceOrder(emptyOrder({ clientOrderId: 'o-1', orderId: '77' }), { reply: statusReply(), askedAt: 1 })
    const desk = callbackDesk(awaiting([], known))
    desk.desk.status = () => statusReply({ status: 'declined' })
    expect(await answersOf(desk, [callbackQuery({ status: 'declined' })])).toEqual([[503, '']])
    expect(desk.reports).toMatchObject([{ kind: 'not-expected' }])
  })

  it.each([
    ['says that somebody else has claimed it meanwhile', async () => false, 'busy'],
    ['fails', () => Promise.reject(new Error('the database is away')), 'failed'],
  ])('is 503 where the inbox, told that it was handled, %s', async (_case, complete, reason) => {
    const desk = callbackDesk({ inbox: { ...memoryInbox(), complete } })
    expect((await answersOf(desk, [callbackQuery()])).map(([status]) => status)).toEqual([503])
    expect(desk.reports).toMatchObject([{ kind: reason }])
    expect(desk.told).toHaveLength(1)
  })

  it('is 503 where the function that finds orders fails, or finds another order', async () => {
    const failing = callbackDesk({ order: () => Promise.reject(new Error('no connection')) })
    expect((await answersOf(failing, [callbackQuery()]))[0]?.[0]).toBe(503)
    const wrong = callbackDesk({ order: () => ({ order: emptyOrder({ clientOrderId: 'o-2' }), expected: [] }) })
    expect((await answersOf(wrong, [callbackQuery()]))[0]?.[0]).toBe(503)
    expect(wrong.reports).toMatchObject([{ kind: 'failed', cause: { code: 'ERR_ORDER_MISMATCH' } }])
    expect(wrong.asked).toEqual([])
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
    ['capture', 'declined', 'change-declined'],
    ['reversal', 'approved', 'returned'],
    ['reversal', 'declined', 'change-declined'],
    ['cancel', 'approved', 'released'],
    ['transfer', 'approved', 'sent'],
  ])('of a %s that is %s is %s', async (stage, status, kind) => {
    const desk = callbackDesk(awaiting({ stages: [stage], ...price }))
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
      { kind: 'returned', stage: { stage: 'chargeback', amount: '4.00' }, isExpected: false },
    ])
    const known = reduceOrder(emptyOrder({ clientOrderId: 'o-1', orderId: '77' }), { reply: statusReply(), askedAt: 1 })
    const later = callbackDesk({ ...awaiting({ stages: ['sale'], ...price }, known), inbox: desk.options.inbox })
    later.desk.status = () => statusReply({ status: 'declined' })
    const declined = callbackQuery({ status: 'declined' })
    expect(await answersOf(later, [declined, declined])).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ])
    expect(later.told).toMatchObject([{ kind: 'disputed', reason: 'corrected', stage: { status: 'approved' } }])
  })

  it('are three where three partial chargebacks come one after the other, told again while the handler fails', async () => {
    let known = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
    const desk = callbackDesk({ order: () => ({ order: known, expected: { stages: ['sale'], ...price } }) })
    let isDown = true
    desk.desk.handle = ({ observation }) => {
      known = reduceOrder(known, observation)
      if (isDown && observation.reply.amount === '3.00') throw new Error('the ledger is away')
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
      ['returned', '4.00'],
      ['returned', '3.00'],
      ['returned', '3.00'],
      ['returned', '1.00'],
    ])
    expect(new Set(desk.told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
  })

  it('are two where two equal partial returns are waited for by their serial numbers', async () => {
    const returns = ['sn-a', 'sn-b'].map(serialNumber => ({
      stages: ['reversal'] as const,
      serialNumber,
      amount: '3.00',
      currency: 'EUR',
    }))
    const desk = callbackDesk(awaiting(returns))
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
      { kind: 'returned', stage: { serialNumber: 'sn-a' }, isExpected: true },
      { kind: 'returned', stage: { serialNumber: 'sn-b' }, isExpected: true },
    ])
  })

  it('are told of a chargeback also while a return is waited for by its serial number', async () => {
    const desk = callbackDesk(awaiting({ stages: ['reversal'], serialNumber: 'sn-a', amount: '3.00', currency: 'EUR' }))
    desk.desk.status = ({ byRequestSn }) =>
      byRequestSn === undefined
        ? statusReply({ transactionType: 'chargeback', amount: '7.00' })
        : statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([
      { kind: 'returned', stage: { stage: 'reversal', serialNumber: 'sn-a' }, isExpected: true },
      { kind: 'returned', stage: { stage: 'chargeback', amount: '7.00' }, isExpected: false },
    ])
  })

  it('are told with everything that was learned of the order before them', async () => {
    const sold = reduceOrder(emptyOrder({ clientOrderId: 'o-1', orderId: '77' }), { reply: statusReply(), askedAt: 1 })
    const amounts: Readonly<Record<string, string>> = { 'sn-a': '3.00', 'sn-b': '2.00' }
    const returns = Object.entries(amounts).map(([serialNumber, amount]) => ({
      stages: ['reversal'] as const,
      serialNumber,
      amount,
      currency: 'EUR',
    }))
    const desk = callbackDesk(awaiting(returns, sold))
    desk.desk.status = ({ byRequestSn = 'sn-b' }) =>
      statusReply({ transactionType: 'reversal', amount: amounts[byRequestSn] ?? '', byRequestSn })
    await answersOf(desk, [callbackQuery()])
    expect(desk.told.map(({ order }) => orderTotals(order)?.returned)).toEqual(['3.00', '5.00'])
  })

  it.each<[AwaitedStage, string]>([
    ['reversal', 'returned'],
    ['cancel', 'released'],
    ['void', 'released'],
  ])('count a %s that nobody waits for once it is surely none of the merchant’s own', async (stage, kind) => {
    const desk = callbackDesk()
    desk.desk.status = () => statusReply({ transactionType: stage, amount: '3.00' })
    const { clock } = desk
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    await clock.advance(59_999)
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told).toEqual([])
    await clock.advance(1)
    const answers = await answersOf(desk, [callbackQuery(), callbackQuery()])
    expect(answers.map(([status]) => status)).toEqual([200, 200])
    expect(desk.told).toMatchObject([{ kind, stage: { stage, amount: '3.00' }, isExpected: false }])
    expect(desk.reports.map(({ kind }) => kind)).toEqual(['not-expected', 'not-expected', 'told', 'told'])
  })

  it('do not count a return of the merchant’s own whose serial number is stored only after its callback came', async () => {
    const awaited: Expectation[] = []
    const desk = callbackDesk(awaiting(awaited))
    desk.desk.status = ({ byRequestSn }) =>
      statusReply({
        transactionType: 'reversal',
        amount: '3.00',
        ...(byRequestSn === undefined ? {} : { byRequestSn }),
      })
    await answersOf(desk, [callbackQuery()])
    awaited.push({ stages: ['cancel', 'reversal'], serialNumber: 'sn-a', amount: '3.00', currency: 'EUR' })
    await desk.clock.advance(3_600_000)
    expect((await answersOf(desk, [callbackQuery()]))[0]?.[0]).toBe(200)
    expect(desk.told).toMatchObject([{ kind: 'returned', stage: { serialNumber: 'sn-a' }, isExpected: true }])
  })

  it('count no return as somebody else’s while one of the merchant’s own is waited for', async () => {
    const desk = callbackDesk(awaiting({ stages: ['cancel', 'reversal'], serialNumber: 'sn-a' }))
    let isAway = true
    desk.desk.status = ({ byRequestSn }) => {
      if (byRequestSn === undefined) return statusReply({ transactionType: 'reversal' })
      if (isAway) throw new Error('timeout')
      return statusReply({ transactionType: 'reversal', byRequestSn })
    }
    await answersOf(desk, [callbackQuery()])
    await desk.clock.advance(3_600_000)
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told).toEqual([])
    isAway = false
    expect((await answersOf(desk, [callbackQuery()]))[0]?.[0]).toBe(200)
    expect(desk.told).toMatchObject([{ kind: 'returned', stage: { serialNumber: 'sn-a' }, isExpected: true }])
  })

  it('do not count again what the order knows already', async () => {
    const reversed = statusReply({ transactionType: 'reversal', amount: '3.00' })
    const known = [statusReply(), reversed].reduce(
      (order, reply, index) => reduceOrder(order, { reply, askedAt: index }),
      emptyOrder({ clientOrderId: 'o-1', orderId: '77' }),
    )
    const desk = callbackDesk(awaiting([], known))
    desk.desk.status = () => reversed
    await answersOf(desk, [callbackQuery()])
    await desk.clock.advance(3_600_000)
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.reports.map(({ kind }) => kind)).toEqual(['known', 'known'])
    expect(desk.told).toEqual([])
  })

  it.each<AwaitedStage>(['chargeback', 'reversal'])(
    'are as many as there are amounts where a %s comes several times',
    async stage => {
      let order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
      const desk = callbackDesk({ order: () => ({ order, expected: [] }) })
      desk.desk.handle = ({ observation }) => {
        order = reduceOrder(order, observation)
      }
      for (const amount of ['3.00', '4.0', '4.00', '5.00']) {
        await desk.clock.advance(1_000)
        desk.desk.status = () => statusReply({ transactionType: stage, amount })
        await answersOf(desk, [callbackQuery()])
        await desk.clock.advance(60_000)
        await answersOf(desk, [callbackQuery()])
      }
      expect(desk.told.map(({ stage: { amount } }) => amount)).toEqual(['3.00', '4.0', '5.00'])
    },
  )

  it('are told though the latest reply lags behind and shows what is not waited for', async () => {
    const desk = callbackDesk(awaiting({ stages: ['reversal'], serialNumber: 'sn-a' }))
    desk.desk.status = ({ byRequestSn }) =>
      byRequestSn === undefined ? statusReply() : statusReply({ transactionType: 'reversal', byRequestSn })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.reports).toMatchObject([{ kind: 'told' }])
  })

  it('are not all told while status shows another one than it was asked about', async () => {
    const desk = callbackDesk(awaiting(['sn-a', 'sn-b'].map(serialNumber => ({ stages: ['capture'], serialNumber }))))
    desk.desk.status = () => statusReply({ transactionType: 'capture', byRequestSn: 'sn-a' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told.map(({ stage }) => stage.serialNumber)).toEqual(['sn-a'])
    expect(desk.reports).toMatchObject([{ kind: 'not-expected' }])
  })

  it('are told where a person must look at the one of several that status shows', async () => {
    const desk = callbackDesk(
      awaiting([
        { stages: ['preauth'], ...price },
        { stages: ['sale'], ...price },
      ]),
    )
    desk.desk.status = () => statusReply({ amount: '1.00' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs', stage: { stage: 'sale' } }])
  })

  it('are one where a chargeback comes again in other words, though the order is not kept', async () => {
    const desk = callbackDesk(awaiting([]))
    for (const amount of ['40.00', '40.0', '40']) {
      desk.desk.status = () => statusReply({ transactionType: 'chargeback', amount })
      expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    }
    desk.desk.status = () => statusReply({ transactionType: 'chargeback', amount: '4.00' })
    await answersOf(desk, [callbackQuery()])
    expect(desk.told.map(({ stage: { amount } }) => amount)).toEqual(['40.00', '4.00'])
  })

  it('are read by the wire profile that is given', async () => {
    const desk = callbackDesk({ profile: defineProfile({ stages: { purchase: 'sale' } }) })
    desk.desk.status = () => statusReply({ transactionType: 'purchase' })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[200, 'OK']])
    expect(desk.told).toMatchObject([{ kind: 'paid', stage: { stage: 'sale' } }])
  })

  it('are not all told while one of several is still open', async () => {
    const awaited = ['sn-a', 'sn-b'].map(serialNumber => ({ stages: ['capture'] as const, serialNumber }))
    const desk = callbackDesk(awaiting(awaited))
    desk.desk.status = ({ byRequestSn }) =>
      statusReply({
        transactionType: 'capture',
        status: byRequestSn === 'sn-a' ? 'approved' : 'processing',
        ...(byRequestSn === undefined ? {} : { byRequestSn }),
      })
    expect(await answersOf(desk, [callbackQuery()])).toEqual([[503, '']])
    expect(desk.told.map(({ stage }) => stage.serialNumber)).toEqual(['sn-a'])
    expect(desk.reports).toMatchObject([{ kind: 'not-final' }])
  })
})

describe('receiveCallbacks for several merchants', () => {
  const keys: Readonly<Record<string, string>> = { north: 'key of north', south: 'key of south' }
  const several = () => {
    const desk = callbackDesk()
    const merchant: ReceiveCallbacksOptions['merchant'] = (_ids, request) => {
      const login = String(request?.query.shop)
      const controlKeys = Object.hasOwn(keys, login) ? keys[login] : undefined
      return controlKeys === undefined ? undefined : { login, controlKeys, client: desk.client }
    }
    return { ...desk, handler: receiveCallbacks({ ...desk.options, merchant }) }
  }

  it('checks with the keys of the one it is for, and tells their outcomes apart', async () => {
    const desk = several()
    const queries = ['north', 'south'].map(shop => `${callbackQuery({}, keys[shop])}&shop=${shop}`)
    expect((await answersOf(desk, queries)).map(([status]) => status)).toEqual([200, 200])
    expect(desk.told.map(({ login }) => login)).toEqual(['north', 'south'])
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
    ['"login"', { merchant: { ...merchant, login: '' } }],
    ['"merchant.controlKeys"', { merchant: { ...merchant, controlKeys: '' } }],
    ['"status"', { merchant: { ...merchant, client: {} } }],
    ['"merchant" has a "controlKey"', { merchant: { ...merchant, controlKeys: undefined, controlKey: 'key' } }],
    ['"merchant"', { merchant: undefined }],
    ['"order"', { order: undefined }],
    ['"onOutcome"', { onOutcome: 'log' }],
    ['"claim"', { inbox: { put: () => undefined } }],
    ['"inbox"', { inbox: undefined }],
    ['"acknowledge"', { acknowledge: 'at-once' }],
    ['not durable', { acknowledge: 'after-stored' }],
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

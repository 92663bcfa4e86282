/** Callbacks, with the very lines of docs/other-frameworks.md between the framework and a desk that says what it was told. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { type CallbackReceiverOptions, callbackReceiver } from '../src/core.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { now } from './desk-payments.js'
import { type HostileCallback, inWords, send, statusOf, table } from './hostile-callbacks.js'
import type { Started } from './listening.js'
import { oneOfEachKind, rows } from './soak.js'
import { frameworks } from './start-framework.js'

let errors: MockInstance
let desk: ReturnType<typeof callbackDesk>['desk']
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockReturnValue()
  const { options, desk: made } = callbackDesk()
  desk = made
  now.receiver = callbackReceiver(options as unknown as CallbackReceiverOptions)
})

afterEach(() => errors.mockRestore())

const form = 'application/x-www-form-urlencoded'
const outcome = async (response: Response) => ({
  status: response.status,
  text: await response.text(),
  cache: response.headers.get('cache-control'),
})
const reasons = () => [...desk.rejections.map(({ reason }) => reason), ...desk.reports.map(({ kind }) => kind)]
const told = () => desk.told.map(inWords)

type Verdict = Pick<HostileCallback, 'answer' | 'reason' | 'told'>
const unseen = (answer: number): Verdict => ({ answer, reason: null, told: [] })
const taken: Verdict = { answer: 200, reason: 'delivered', told: ['paid'] }

/** Where a framework or its body parser answers by itself, or leaves out what would be refused. */
const ownVerdicts: Readonly<Record<string, Readonly<Record<string, Verdict>>>> = {
  Fastify: {
    'a form in several parts': unseen(415),
    'a body of no stated type': unseen(415),
    // It is not really compressed, and @fastify/formbody does not look at the header.
    'a compressed body': taken,
  },
  Koa: {
    'a body over the limit': unseen(413),
    'a body over the limit, in chunks': unseen(413),
    'a compressed body': unseen(500),
  },
  'route handlers of Next.js': {
    'method PUT': unseen(405),
    'method PATCH': unseen(405),
    'method DELETE': unseen(405),
    'method OPTIONS': unseen(204),
  },
}

/** Daily one of each kind of answer and reason, and those that a framework answers in its own way. */
const callbacksOf = (own: readonly string[]) =>
  rows({
    daily: [
      ...oneOfEachKind(table.callbacks, ({ answer, reason }) => `${answer} ${reason}`),
      ...table.callbacks.filter(({ name }) => own.includes(name)),
    ],
    soak: table.callbacks,
  }).map(callback => [callback.name, callback] as const)

describe.each(frameworks)('a callback under %s', (framework, start) => {
  let shop: Started
  beforeAll(async () => {
    shop = await start({ payments: 'desk-payments' })
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  it.each(['GET', 'POST'])('that is genuine is answered 200: %s', async method => {
    const address = `${shop.origin}/payments/callback`
    const response = await (method === 'GET'
      ? fetch(`${address}?${callbackQuery({ amount: '10.00' })}`)
      : fetch(address, { method, headers: { 'content-type': form }, body: callbackQuery({ amount: '10.00' }) }))
    expect(await outcome(response)).toEqual({ status: 200, text: 'OK', cache: 'no-store' })
    expect([reasons(), told()]).toEqual([['delivered'], ['paid']])
  })

  it.each(['GET', 'POST'])('that is forged is refused without a word, and triggers nothing: %s', async method => {
    const address = `${shop.origin}/payments/callback`
    const forged = callbackQuery({}, 'another key')
    const response = await (method === 'GET'
      ? fetch(`${address}?${forged}`)
      : fetch(address, { method, headers: { 'content-type': form }, body: forged }))
    expect(await outcome(response)).toEqual({ status: 403, text: '', cache: 'no-store' })
    expect([reasons(), told(), desk.asked]).toEqual([['control-mismatch'], [], []])
  })

  it('that comes ten times at once is taken every time', async () => {
    const deliver = () => fetch(`${shop.origin}/payments/callback?${callbackQuery()}`)
    const answers = await Promise.all(Array.from({ length: 10 }, deliver))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(told())).toEqual(new Set(['paid']))
  })

  it('of which status says that it is not over is sent again, and calls nobody', async () => {
    desk.status = () => statusReply({ status: 'processing' })
    const response = await fetch(`${shop.origin}/payments/callback?${callbackQuery()}`)
    expect(await outcome(response)).toEqual({ status: 503, text: '', cache: 'no-store' })
    expect([reasons(), told()]).toEqual([['not-final'], []])
  })

  it('that the merchant’s function fails on is sent again, and the sender is not told why', async () => {
    desk.handle = () => {
      throw new Error('the database of the shop is away')
    }
    const response = await fetch(`${shop.origin}/payments/callback?${callbackQuery()}`)
    const logged = errors.mock.calls.map(String)
    expect(await outcome(response)).toEqual({ status: 503, text: '', cache: 'no-store' })
    expect(logged).toEqual([expect.stringContaining('the database of the shop is away')])
  })

  const own = ownVerdicts[framework] ?? {}

  it.each(callbacksOf(Object.keys(own)))('%s', async (_name, callback) => {
    desk.status = statusOf
    const { status, text } = await send(shop.origin, callback)
    const { answer, reason, told: expected } = own[callback.name] ?? callback
    expect({ answer: status, reasons: reasons(), told: told() }).toEqual({
      answer,
      reasons: reason === null ? [] : [reason],
      told: expected,
    })
    if (status === 403) expect([text, desk.asked]).toEqual(['', []])
  })
})

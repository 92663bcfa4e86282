/** Entries without hooks: whatever is refused or postponed, the process is warned of it, with the cure. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { aroundEach, describe, expect, it, vi } from 'vitest'
import { type StatusClient, signState, type VisitOptions } from '../src/core.js'
import { customerReturn, type ReceiveCallbacksOptions, receiveCallbacks, verifyCallback } from '../src/index.js'
import { callbackQuery, controlKey, price, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]

/** All that the process is warned of by what a test does, and by what follows from that: other tests share the process. */
const emitted = new AsyncLocalStorage<string[]>()
aroundEach(async runTest => {
  vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    const { type, code } = options as { readonly type: string; readonly code: string }
    emitted.getStore()?.push(`${type} ${code} ${message}`)
  })
  try {
    await emitted.run([], runTest)
  } finally {
    vi.restoreAllMocks()
  }
})

/** Everything that this test has warned of. */
const warnings = (): readonly string[] => emitted.getStore() ?? []

const answering: StatusClient = { status: async () => statusReply() }

const receiving = (own: Partial<ReceiveCallbacksOptions> = {}, client = answering): ReceiveCallbacksOptions => ({
  merchant: { controlKeys: controlKey, client },
  onStatus: () => undefined,
  interval: 0,
  ...own,
})

/** Sends callbacks to a handler. @returns The statuses of the answers. */
async function call(
  handler: ReturnType<typeof receiveCallbacks> | ReturnType<typeof verifyCallback>,
  queries: readonly string[],
) {
  const app = express()
  app.all('/callback', handler, (_request, response) => void response.sendStatus(200))
  await using served = await serve(app)
  const statuses: number[] = []
  for (const query of queries) statuses.push((await fetch(`${served.origin}/callback?${query}`)).status)
  return statuses
}

/** The handler as `node:http` calls it: without `next`. */
const alone =
  (handler: ReturnType<typeof receiveCallbacks>) =>
  (...[request, response]: Parameters<typeof handler>) =>
    handler(request, response)

const wrongKey = callbackQuery({}, 'another key')

describe('a callback that is refused', () => {
  it.each([
    ['verifyCallback', () => verifyCallback({ controlKeys: controlKey })],
    ['receiveCallbacks', () => receiveCallbacks(receiving())],
  ])('makes %s warn of a wrong control key, once', async (_entry, make) => {
    expect(await call(make(), [wrongKey, wrongKey])).toEqual([403, 403])
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^TillkitWarning WARN_CALLBACK_REFUSED A callback was refused with 403 \(control-mismatch\): .* Compare your control key/,
      ),
    ])
    expect(warnings().join()).not.toContain(controlKey)
  })

  it('is not warned of where a hook is set', async () => {
    const onRejected = vi.fn()
    await call(verifyCallback({ controlKeys: controlKey, onRejected }), [wrongKey])
    await call(receiveCallbacks(receiving({ onRejected })), [wrongKey])
    expect(onRejected).toHaveBeenCalledTimes(2)
    expect(warnings()).toEqual([])
  })
})

describe('a callback that is postponed', () => {
  it('is warned of where status cannot be asked', async () => {
    const failure = Object.assign(new Error('no route to https://shop:secret@gate.example'), { code: 'ERR_NOT_SENT' })
    const client = { status: () => Promise.reject(failure) }
    expect(await call(receiveCallbacks(receiving({}, client)), [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([
      expect.stringMatching(/\(no-answer\): .*ERR_NOT_SENT: no route to .*client\.check\(\)/),
    ])
    expect(warnings().join()).not.toContain('secret')
  })

  it('is not warned of where status lags behind: the gateway calls again, and nobody has anything to do', async () => {
    const client = { status: async () => statusReply({ status: 'processing' }) }
    const onReport = vi.fn()
    expect(await call(receiveCallbacks(receiving({}, client)), [callbackQuery()])).toEqual([503])
    expect(await call(receiveCallbacks(receiving({ onReport }, client)), [callbackQuery()])).toEqual([503])
    expect(onReport.mock.calls).toMatchObject([[{ kind: 'not-final' }, expect.anything()]])
    expect(warnings()).toEqual([])
  })

  it('is not warned of where a hook is set, nor where all is well', async () => {
    const onReport = vi.fn()
    const client = { status: () => Promise.reject(new Error('away')) }
    await call(receiveCallbacks(receiving({ onReport }, client)), [callbackQuery()])
    expect(await call(receiveCallbacks(receiving()), [callbackQuery()])).toEqual([200])
    expect(onReport).toHaveBeenCalledOnce()
    expect(warnings()).toEqual([])
  })

  it('is warned of under node:http, where no next takes what a function threw', async () => {
    const merchant = () => {
      throw new TypeError('merchants.find is not a function')
    }
    expect(await call(alone(receiveCallbacks(receiving({ merchant }))), [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([expect.stringMatching(/\(failed\): .*TypeError: merchants.find is not a function/)])
  })

  it('is warned of where status never shows what the callback says, with the cure', async () => {
    const query = callbackQuery({ type: 'chargeback' })
    expect(await call(receiveCallbacks(receiving()), [query, query])).toEqual([503, 503])
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CALLBACK_POSTPONED .*\(not-shown\): .*ask the gateway/)])
  })

  it('is warned of where the merchant’s function fails, with its text', async () => {
    const onStatus = () => Promise.reject(new Error('the table is locked'))
    expect(await call(receiveCallbacks(receiving({ onStatus })), [callbackQuery(), callbackQuery()])).toEqual([
      503, 503,
    ])
    expect(warnings()).toEqual([
      'TillkitWarning WARN_HANDLER_FAILED Your function "onStatus" failed for order "o-1" (orderid "77"): Error: the table is locked. ' +
        'The gateway sends the callback again. This is said at most once a minute.',
    ])
  })
})

/** A customer comes back. @returns What went to `next`. */
async function visit(own: Partial<VisitOptions<unknown>>, { query = '' } = {}): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const app = express()
  const visits = { client: answering, stateSecrets, controlKeys: controlKey }
  const options = { ...visits, redirectTo: () => '/orders', wait: async () => undefined, ...own }
  app.all('/return/:state', customerReturn(options))
  app.use((error: unknown, _request: unknown, response: { sendStatus(status: number): void }, _next: unknown) => {
    errors.push(error)
    response.sendStatus(500)
  })
  await using served = await serve(app)
  const about = { clientOrderId: 'o-1', purpose: 'hosted-form', expected: { operation: 'saleForm', ...price } } as const
  const state = signState({ ...about, secrets: stateSecrets, lifetime: 60, now: Date.now() })
  await fetch(`${served.origin}/return/${state}?${query}`, { redirect: 'manual' })
  return errors
}

describe('a customer who comes back', () => {
  it('is warned of where the parameters do not verify', async () => {
    await visit({}, { query: wrongKey })
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(control-mismatch\)/)])
  })

  it('is not warned of where a hook is set, nor where all is well', async () => {
    const onRejected = vi.fn()
    await visit({ onRejected }, { query: wrongKey })
    await visit({})
    expect(onRejected.mock.calls.map(([{ reason }]) => reason)).toEqual(['control-mismatch'])
    expect(warnings()).toEqual([])
  })
})

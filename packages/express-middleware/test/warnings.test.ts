/** Entries without hooks: whatever is refused or postponed, the process is warned of it, with the cure. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { type DocumentStore, type KeepingClient, memoryStore } from '@tillkit/protocol'
import { aroundEach, describe, expect, it, vi } from 'vitest'
import { signState, type VisitOptions } from '../src/core.js'
import {
  customerReturn,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
  type ThreeDSecureOptions,
  threeDSecure,
  verifyCallback,
} from '../src/index.js'
import { callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'

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

/** A client whose store has order `o-1`. */
function clientWith(own: Partial<KeepingClient> = {}) {
  const store = memoryStore()
  void keepPayment(paymentsIn(store))
  return { status: async () => statusReply(), payments: paymentsIn(store), store, ...own }
}

const receiving = (own: Partial<ReceiveCallbacksOptions> = {}, client = clientWith()): ReceiveCallbacksOptions => ({
  merchant: { controlKeys: controlKey, client },
  store: client.store,
  onOutcome: () => undefined,
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
  if ('close' in handler) await handler.close()
  return statuses
}

/** The handler as `node:http` calls it: without `next`. */
const alone = (handler: ReturnType<typeof receiveCallbacks>) =>
  Object.assign((...[request, response]: Parameters<typeof handler>) => handler(request, response), handler)

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
    const client = clientWith({ status: () => Promise.reject(failure) })
    expect(await call(receiveCallbacks(receiving({}, client)), [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([
      expect.stringMatching(/\(no-answer\): .*ERR_NOT_SENT: no route to .*client\.check\(\)/),
    ])
    expect(warnings().join()).not.toContain('secret')
  })

  it('is not warned of where status lags behind: the gateway calls again, and nobody has anything to do', async () => {
    const client = clientWith({ status: async () => statusReply({ status: 'processing' }) })
    const onReport = vi.fn()
    expect(await call(receiveCallbacks(receiving({}, client)), [callbackQuery()])).toEqual([503])
    expect(await call(receiveCallbacks(receiving({ onReport }, client)), [callbackQuery()])).toEqual([503])
    expect(onReport.mock.calls).toMatchObject([[{ kind: 'not-final' }, expect.anything()]])
    expect(warnings()).toEqual([])
  })

  it('is not warned of where a hook is set, nor where all is well', async () => {
    const onReport = vi.fn()
    const client = clientWith({ status: () => Promise.reject(new Error('away')) })
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

  it('is said by the option "warn" there, too', async () => {
    const cause = new TypeError('merchants.find is not a function')
    const merchant = () => {
      throw cause
    }
    const warn = vi.fn()
    expect(await call(alone(receiveCallbacks(receiving({ merchant, warn }))), [callbackQuery()])).toEqual([503])
    expect(warn.mock.calls).toEqual([['WARN_CALLBACK_POSTPONED', expect.objectContaining({ reason: 'failed', cause })]])
    expect(warnings()).toEqual([])
  })
})

describe('what the store has left to do', () => {
  /** Works on an order without a callback. */
  const workOn = async (status: KeepingClient['status']) => {
    const client = clientWith({ status })
    const receiver = receiveCallbacks(receiving({}, client))
    await until(() => receiver.resume({ untilTried: true }).then(count => count > 0))
    await receiver.close()
  }

  it('is not called a callback where status cannot be asked, and the cause is said', async () => {
    await workOn(() => Promise.reject(new Error('no route to the gateway')))
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^TillkitWarning WARN_WORK_POSTPONED The work in the background could not go on about an order, and tries again \(no-answer\): .* The cause: Error: no route to the gateway\./,
      ),
    ])
  })

  it('is not warned of where status says that it is not over yet', async () => {
    await workOn(async () => statusReply({ status: 'processing' }))
    expect(warnings()).toEqual([])
  })

  /** Closes while the store reads the order. @param answer What the store then answers. */
  const closeWhileReading = async (answer: (read: DocumentStore['read']) => DocumentStore['read']) => {
    const kept = memoryStore()
    await keepPayment(paymentsIn(kept))
    let goOn = (): void => undefined
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    const read = vi.fn<DocumentStore['read']>(key => held.then(() => answer(kept.read)(key)))
    const store = { ...kept, read }
    const onOutcome = vi.fn()
    const client = { ...clientWith(), payments: paymentsIn(store), store }
    const receiver = receiveCallbacks(receiving({ onOutcome }, client))
    await receiver.resume()
    await until(() => read.mock.calls.length > 0)
    const closing = receiver.close()
    // Nothing was being told, so nothing holds up the end of all patience.
    await setImmediate()
    goOn()
    await closing
    return { kept, onOutcome }
  }

  it('is not warned of where it was closed before its turn came, and the next process tells it', async () => {
    const { kept, onOutcome } = await closeWhileReading(read => read)
    expect([warnings(), onOutcome.mock.calls]).toEqual([[], []])
    const next = receiveCallbacks(
      receiving({ onOutcome }, { ...clientWith(), payments: paymentsIn(kept), store: kept }),
    )
    await next.resume({ untilTried: true })
    await next.close()
    expect(onOutcome).toHaveBeenCalledOnce()
  })

  it('is warned of where the store fails while it is closed', async () => {
    await closeWhileReading(() => () => Promise.reject(new Error('the disk is gone')))
    expect(warnings()).toEqual([
      expect.stringMatching(/ WARN_STORE_FAILED .*the disk is gone/),
      expect.stringMatching(/ WARN_WORK_POSTPONED .*the disk is gone/),
    ])
  })
})

describe('a callback for an order that the store does not have', () => {
  const stranger = callbackQuery({ merchant_order: 'o-2' })

  it('is taken, and warned of once with the cure', async () => {
    expect(await call(receiveCallbacks(receiving()), [stranger, stranger])).toEqual([200, 200])
    expect(warnings()).toEqual([
      expect.stringMatching(/ WARN_CALLBACK_UNMATCHED .*list "unmatched".*\(unmatched\): .*"o-2".*the same store/),
    ])
  })

  it('is not warned of where a hook is set', async () => {
    const onReport = vi.fn()
    expect(await call(receiveCallbacks(receiving({ onReport })), [stranger])).toEqual([200])
    expect(onReport.mock.calls[0]?.[0]).toMatchObject({ kind: 'unmatched', status: 200 })
    expect(warnings()).toEqual([])
  })
})

/** A customer comes back. @returns What went to `next`. */
async function visit(
  own: Partial<VisitOptions<unknown>>,
  { query = '', clientOrderId = 'o-1' } = {},
): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const app = express()
  const client = clientWith()
  const visits = { client, store: client.store, stateSecrets, controlKeys: controlKey, onOutcome: () => undefined }
  const options = { ...visits, redirectTo: () => '/orders', polling: { attempts: 1 }, ...own }
  app.all('/return/:state', customerReturn(options))
  app.use((error: unknown, _request: unknown, response: { sendStatus(status: number): void }, _next: unknown) => {
    errors.push(error)
    response.sendStatus(500)
  })
  await using served = await serve(app)
  const about = { clientOrderId, purpose: 'hosted-form' } as const
  const state = await signState({ ...about, secrets: stateSecrets, lifetime: 60, now: Date.now() })
  await fetch(`${served.origin}/return/${state}?${query}`, { redirect: 'manual' })
  return errors
}

describe('a customer who comes back', () => {
  const stranger = { clientOrderId: 'o-2' }

  it('is warned of where the store does not have the order', async () => {
    await visit({}, stranger)
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(unknown-order\): .*"o-2"/)])
  })

  it('is warned of where the parameters do not verify', async () => {
    await visit({}, { query: wrongKey })
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(control-mismatch\)/)])
  })

  it('is not warned of where a hook is set, nor where all is well', async () => {
    const onRejected = vi.fn()
    await visit({ onRejected }, stranger)
    await visit({})
    expect(onRejected.mock.calls.map(([{ reason }]) => reason)).toEqual(['unknown-order'])
    expect(warnings()).toEqual([])
  })
})

describe('a step of 3DS that cannot be taken', () => {
  const secureWith = (own: Partial<ThreeDSecureOptions>) => {
    const upload = async () => undefined
    const uploads = { uploadMethodUrlResult: upload, uploadCresResult: upload, uploadParesResult: upload }
    // A step that this version knows nothing of.
    const riddle = async () => statusReply({ status: 'processing', tdsStatus: 'Riddle' })
    const stuck = { ...clientWith({ status: riddle }), ...uploads }
    const visits = {
      client: stuck,
      store: stuck.store,
      stateSecrets,
      controlKeys: controlKey,
      onOutcome: () => undefined,
    }
    const address = 'https://shop.example/3ds'
    return threeDSecure({ ...visits, address, redirectTo: () => '/orders', polling: { attempts: 1 }, ...own })
  }
  const go = async (own: Partial<ThreeDSecureOptions> = {}) => {
    const secure = secureWith(own)
    const app = express()
    app.use('/3ds', secure)
    await using served = await serve(app)
    const { pathname } = new URL(await secure.addressOf('o-1'))
    for (const path of [pathname, pathname, '/3ds/forged'])
      await fetch(`${served.origin}${path}`, { redirect: 'manual' })
  }

  it('is warned of once, and so is a forged address', async () => {
    await go()
    expect(warnings()).toEqual([
      expect.stringMatching(/ WARN_3D_SECURE_STUCK 3DS could not go on: .*"Riddle".* set "onProblem"/),
      expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(forged-state\)/),
    ])
  })

  it('is not warned of where hooks are set', async () => {
    await go({ onProblem: () => undefined, onRejected: () => undefined })
    expect(warnings()).toEqual([])
  })
})

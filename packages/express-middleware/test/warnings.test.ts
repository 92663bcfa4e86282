/** Entries without hooks: whatever is refused or postponed, the process is warned of it, with the cure. */
import { emptyOrder } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { memoryInbox, signState, type VisitOptions } from '../src/core.js'
import {
  customerReturn,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
  type ThreeDSecureOptions,
  threeDSecure,
  verifyCallback,
} from '../src/index.js'
import { callbackQuery, controlKey, price, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const orders = new Map([['o-1', emptyOrder({ clientOrderId: 'o-1' })]])
const known = ({ clientOrderId }: { readonly clientOrderId: string }) => {
  const order = orders.get(clientOrderId)
  return order && { order, expected: { stages: ['sale'], ...price } }
}
/** As the types do not allow, and plain JavaScript does. */
const taking = (text: (id: string) => unknown) => text as unknown as typeof known

let emitted: MockInstance
beforeEach(() => {
  emitted = vi.spyOn(process, 'emitWarning').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

/** What the process was warned of. */
const warnings = (): readonly string[] =>
  emitted.mock.calls.map(([message, { type, code }]) => `${type} ${code} ${message}`)

const client = { status: async () => statusReply() }
const receiving = (own: Partial<ReceiveCallbacksOptions> = {}): ReceiveCallbacksOptions => ({
  merchant: { login: 'merchant', controlKeys: controlKey, client },
  inbox: memoryInbox(),
  order: known,
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
  return statuses
}

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
  it('is warned of where nothing is known of the order', async () => {
    expect(await call(receiveCallbacks(receiving({ order: () => undefined })), [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([
      expect.stringMatching(/ WARN_CALLBACK_POSTPONED .*\(unknown-order\): .*order: \(\{ clientOrderId \}\) =>/),
    ])
  })

  it('is warned of where status cannot be asked', async () => {
    const failing = { status: () => Promise.reject(Object.assign(new Error('secret'), { code: 'ERR_NOT_SENT' })) }
    const merchant = { login: 'merchant', controlKeys: controlKey, client: failing }
    await call(receiveCallbacks(receiving({ merchant })), [callbackQuery()])
    expect(warnings()).toEqual([expect.stringMatching(/\(no-answer\): .*ERR_NOT_SENT.*client\.check\(\)/)])
    expect(warnings().join()).not.toContain('secret')
  })

  it('is not warned of where a hook is set, nor where all is well', async () => {
    const onReport = vi.fn()
    await call(receiveCallbacks(receiving({ order: () => undefined, onReport })), [callbackQuery()])
    expect(await call(receiveCallbacks(receiving()), [callbackQuery()])).toEqual([200])
    expect(onReport).toHaveBeenCalledOnce()
    expect(warnings()).toEqual([])
  })

  it('is warned of under node:http, where no next takes what a function threw', async () => {
    const merchant = () => {
      throw new TypeError('merchants.find is not a function')
    }
    const handler = receiveCallbacks(receiving({ merchant }))
    const alone = Object.assign(
      (...[request, response]: Parameters<typeof handler>) => handler(request, response),
      handler,
    )
    expect(await call(alone, [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([expect.stringContaining('(failed): TypeError: merchants.find is not a function')])
  })
})

describe('a function that takes an id in place of ids', () => {
  const wrong = taking(id => known({ clientOrderId: `${id}` }))
  const cure = 'write order: ({ clientOrderId }) => findOrder(clientOrderId)'

  it('fails with the cure in receiveCallbacks', async () => {
    expect(await call(receiveCallbacks(receiving({ order: wrong })), [callbackQuery()])).toEqual([503])
    expect(warnings()).toEqual([expect.stringContaining(cure)])
  })

  it('fails with the cure in customerReturn', async () => {
    const errors = await visit({ order: wrong })
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(cure) })])
  })

  it('is called with what looks like plain ids', async () => {
    const order = vi.fn(known)
    await call(receiveCallbacks(receiving({ order })), [callbackQuery()])
    await visit({ order })
    expect(order.mock.calls.map(([ids]) => ({ ...ids }))).toEqual([
      { login: 'merchant', clientOrderId: 'o-1', orderId: '77' },
      { clientOrderId: 'o-1' },
    ])
  })
})

/** A customer comes back. @returns What went to `next`. */
async function visit(own: Partial<VisitOptions<unknown>>, query = ''): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const app = express()
  const visits = { client, stateSecrets, controlKeys: controlKey, order: known, onSettlement: () => undefined }
  const options = { ...visits, redirectTo: () => '/orders', polling: { attempts: 1 }, ...own }
  app.all('/return/:state', customerReturn(options))
  app.use((error: unknown, _request: unknown, response: { sendStatus(status: number): void }, _next: unknown) => {
    errors.push(error)
    response.sendStatus(500)
  })
  await using served = await serve(app)
  const about = { clientOrderId: 'o-1', purpose: 'hosted-form' } as const
  const state = await signState({ ...about, secrets: stateSecrets, lifetime: 60, now: Date.now() })
  await fetch(`${served.origin}/return/${state}?${query}`, { redirect: 'manual' })
  return errors
}

describe('a customer who comes back', () => {
  it('is warned of where nothing is known of the order', async () => {
    await visit({ order: () => undefined })
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(unknown-order\): .* option "order"/)])
  })

  it('is warned of where the parameters do not verify', async () => {
    await visit({}, wrongKey)
    expect(warnings()).toEqual([expect.stringMatching(/ WARN_CUSTOMER_REFUSED .*\(control-mismatch\)/)])
  })

  it('is not warned of where a hook is set, or nothing is waited for', async () => {
    const onRejected = vi.fn()
    await visit({ order: () => undefined, onRejected })
    await visit({ order: ids => ({ order: emptyOrder(ids), expected: [] }) })
    expect(onRejected.mock.calls.map(([{ reason }]) => reason)).toEqual(['unknown-order'])
    expect(warnings()).toEqual([])
  })
})

describe('a step of 3DS that cannot be taken', () => {
  const secureWith = (own: Partial<ThreeDSecureOptions>) => {
    const upload = async () => undefined
    const uploads = { uploadMethodUrlResult: upload, uploadCresResult: upload, uploadParesResult: upload }
    // A step that this version knows nothing of.
    const stuck = { status: async () => statusReply({ status: 'processing', tdsStatus: 'Riddle' }), ...uploads }
    const visits = { client: stuck, stateSecrets, controlKeys: controlKey, order: known, onSettlement: () => undefined }
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

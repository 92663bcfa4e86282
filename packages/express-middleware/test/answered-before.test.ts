/** Requests that somebody else has answered meanwhile, as a middleware that limits time does. */
import { setImmediate } from 'node:timers/promises'
import { memoryStore, type ReceivedOutcome, type StatusRequest } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { customerReturn, redirectToHostedForm, threeDSecure, verifyCallback } from '../src/index.js'
import { signState } from '../src/state/token.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const now = 1_800_000_000_000

describe.each(versions)('a request that was answered before, under %s', (_version, express) => {
  it('is worked on, and neither answered again nor the end of the process', async () => {
    const desk = callbackDesk()
    const upload = async () => undefined
    const store = memoryStore()
    for (const clientOrderId of ['o-1', 'o-2']) await keepPayment(paymentsIn(store), [{ clientOrderId }])
    const client = {
      payments: paymentsIn(store),
      status: async ({ clientOrderId = '' }: StatusRequest) => statusReply({ clientOrderId }),
      saleForm: async () => ({ redirectUrl: 'https://gate.example/form', raw: {} }),
      uploadMethodUrlResult: upload,
      uploadCresResult: upload,
      uploadParesResult: upload,
    }
    const settled: string[] = []
    const visit = {
      client,
      stateSecrets,
      controlKeys: 'a control key',
      clock: () => now,
      store,
      onOutcome: ({ reference }: ReceivedOutcome) => void settled.push(reference),
      redirectTo: () => '/',
    }
    const app = express()
    app.use((_request, response, next) => {
      response.status(504).end()
      next()
    })
    app.all('/callback', desk.handler)
    app.all('/verified', verifyCallback({ controlKeys: 'a control key' }))
    app.all('/return/:state', customerReturn(visit))
    app.use('/3ds', threeDSecure({ ...visit, address: 'https://shop.example/3ds' }))
    app.all(
      '/pay',
      redirectToHostedForm({
        client,
        stateSecrets,
        order: () => ({ clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }),
        returnUrl: 'https://shop.example/return',
        redirectHosts: ['gate.example'],
      }),
    )
    app.use((_error: unknown, _request: unknown, _response: unknown, _next: unknown) => undefined)
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      await using served = await serve(app)
      const [form, secure] = await Promise.all(
        (
          [
            ['o-1', 'hosted-form'],
            ['o-2', '3d-secure'],
          ] as const
        ).map(([clientOrderId, purpose]) =>
          signState({ clientOrderId, purpose, secrets: stateSecrets, lifetime: 60, now }),
        ),
      )
      const paths = [
        `callback?${callbackQuery()}`,
        'callback',
        'verified',
        `return/${form}`,
        'return/x',
        `3ds/${secure}`,
        'pay',
      ]
      for (const path of paths) expect((await fetch(`${served.origin}/${path}`)).status).toBe(504)
      await until(() => desk.told.length > 0 && settled.length > 1)
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
    expect([desk.told.length, settled.length]).toEqual([1, 2])
  })
})

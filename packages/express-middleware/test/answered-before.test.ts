/** Requests that somebody else has answered meanwhile, as a middleware that limits time does. */
import { setImmediate } from 'node:timers/promises'
import type { StatusRequest } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { customerReturn, redirectToHostedForm, verifyCallback } from '../src/index.js'
import { signState } from '../src/state/token.js'
import { callbackDesk, callbackQuery, price, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const now = 1_800_000_000_000

describe.each(versions)('a request that was answered before, under %s', (_version, express) => {
  it('is worked on, and neither answered again nor the end of the process', async () => {
    const desk = callbackDesk()
    const visited: string[] = []
    const created: string[] = []
    const client = {
      status: async ({ clientOrderId = '' }: StatusRequest) => statusReply({ clientOrderId }),
      saleForm: async () => ({ redirectUrl: 'https://gate.example/form', raw: {} }),
    }
    const redirectTo = ({ view }: { readonly view: string }) => {
      visited.push(view)
      return '/'
    }
    const visit = { client, stateSecrets, controlKeys: 'a control key', clock: () => now, redirectTo }
    const app = express()
    app.use((_request, response, next) => {
      response.status(504).end()
      next()
    })
    app.all('/callback', desk.handler)
    app.all('/verified', verifyCallback({ controlKeys: 'a control key' }))
    app.all('/return/:state', customerReturn(visit))
    app.all(
      '/pay',
      redirectToHostedForm({
        client,
        stateSecrets,
        order: () => ({ clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }),
        returnUrl: 'https://shop.example/return',
        redirectHosts: ['gate.example'],
        onCreated: ({ clientOrderId }) => void created.push(clientOrderId),
      }),
    )
    app.use((_error: unknown, _request: unknown, _response: unknown, _next: unknown) => undefined)
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      await using served = await serve(app)
      const subject = { clientOrderId: 'o-1', purpose: 'hosted-form', lifetime: 60, now } as const
      const form = signState({ ...subject, expected: { operation: 'saleForm', ...price }, secrets: stateSecrets })
      const paths = [`callback?${callbackQuery()}`, 'callback', 'verified', `return/${form}`, 'return/x', 'pay']
      for (const path of paths) expect((await fetch(`${served.origin}/${path}`)).status).toBe(504)
      await until(() => desk.told.length + visited.length + created.length > 2)
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
    expect([desk.told.length, visited, created]).toEqual([1, ['paid'], ['o-1']])
  })
})

/** Hooks for logs: whatever becomes of a log, the answer is the same and the process goes on. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signState } from '../src/core.js'
import { customerReturn } from '../src/index.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]

/** What would have ended a process that does not look for it. */
const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})

afterEach(() => {
  process.off('unhandledRejection', note)
})

describe.each([
  [
    'throws',
    () => {
      throw new Error('the log is full')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the log is full'))],
])('a log that %s', (_case, fail) => {
  // The types let an async function pass for one that returns nothing.
  const hook = fail as () => void

  it('changes no answer to a callback', async () => {
    const desk = callbackDesk({ onRejected: hook, onReport: hook })
    const app = express()
    app.all('/callback', desk.handler)
    await using served = await serve(app)
    const send = async (query: string) => (await fetch(`${served.origin}/callback?${query}`)).status
    expect([await send('a=b'), await send(callbackQuery({}, 'another key')), await send(callbackQuery())]).toEqual([
      403, 403, 200,
    ])
    expect(desk.told).toHaveLength(1)
    await setImmediate()
    expect(unhandled).toEqual([])
  })

  it('changes no answer to a customer', async () => {
    const options = {
      client: { status: async () => statusReply() },
      stateSecrets: [{ id: 'one', secret: 'the first secret, 32 bytes long.' }],
      controlKeys: 'a control key',
      redirectTo: () => '/orders',
      wait: async () => undefined,
      onRejected: hook,
    }
    const app = express()
    app.all('/return/:state', customerReturn(options))
    await using served = await serve(app)
    const subject = { clientOrderId: 'o-1', purpose: 'hosted-form', lifetime: 60, now: Date.now() } as const
    const state = signState({ ...subject, secrets: options.stateSecrets })
    const go = async (path: string) => (await fetch(`${served.origin}${path}`, { redirect: 'manual' })).status
    expect([await go('/return/forged'), await go(`/return/${state}?status=approved&control=x`)]).toEqual([403, 303])
    await setImmediate()
    expect(unhandled).toEqual([])
  })
})

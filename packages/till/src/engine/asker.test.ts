import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { createAsker } from './asker.js'

const place = { name: 'merchant', environment: 'test' } as const
const question = { login: 'merchant', clientOrderId: 'basket-7', endpointId: '39' }
const refused = { kind: 'refused', error: { code: 'ERR_REQUEST_REFUSED', errorCode: '404', received: {} } }
const reply = { status: 'approved', clientOrderId: 'basket-7', orderId: '77', raw: {} } as StatusResponse

/** An asker whose gateway answers with `sent`, and whose clock is set. */
function openAsker(
  sent: object,
  { word = '404' as string | null, store = memoryStore() as Pick<ReturnType<typeof memoryStore>, 'read'> } = {},
) {
  const clock = { now: 0 }
  const profile = { ...defaultProfile, orderNeverSeen: { ...defaultProfile.orderNeverSeen, value: word ?? undefined } }
  const ask = createAsker({
    client: { baseUrl: 'https://gate.example', prepare: () => ({ send: async () => sent }) } as never,
    engine: { store: store as ReturnType<typeof memoryStore>, place },
    profile,
    clocks: { system: () => clock.now, monotonic: () => clock.now },
    wait: async () => {},
  })
  return { clock, ask: () => ask(question, () => ({ earliest: clock.now, latest: clock.now + 5 })) }
}

describe('an asker', () => {
  it('says what status said, when it was asked at the earliest, and when it answered at the latest', async () => {
    const { ask } = openAsker({ kind: 'answered', reply })
    expect(await ask()).toEqual({ kind: 'reply', reply, question, askedAt: 0, answeredAt: 5 })
  })

  it('takes only the gateway’s word for an order that it has never seen', async () => {
    expect(await openAsker(refused).ask()).toMatchObject({ kind: 'never-seen', baseUrl: 'https://gate.example' })
    expect(await openAsker(refused, { word: '405' }).ask()).toMatchObject({ kind: 'refused' })
    expect(await openAsker(refused, { word: null }).ask()).toMatchObject({ kind: 'refused' })
    const named = { ...refused, error: { ...refused.error, orderId: '77' } }
    expect(await openAsker(named).ask()).toMatchObject({ kind: 'refused' })
    const silent = { kind: 'no-answer', error: { code: 'ERR_TRANSPORT' } }
    expect(await openAsker(silent).ask()).toMatchObject({ kind: 'no-answer' })
  })

  it('does not wait for a store that hangs to know that word', async () => {
    const store = { read: () => new Promise<never>(() => {}) }
    expect(await openAsker(refused, { word: null, store }).ask()).toMatchObject({ kind: 'refused' })
  })

  it('takes a refusal for a word that nobody knows only where the store says that nobody does', async () => {
    expect(await openAsker(refused, { word: null }).ask()).toMatchObject({ kind: 'refused', mayBeAbsence: true })
    const failing = { read: () => Promise.reject(new Error('the store is down')) }
    const hanging = { read: () => new Promise<never>(() => {}) }
    for (const store of [failing, hanging])
      expect(await openAsker(refused, { word: null, store }).ask()).toMatchObject({
        kind: 'refused',
        mayBeAbsence: false,
      })
  })

  it('remembers when it heard the first answer of absence, however many follow', async () => {
    const { clock, ask } = openAsker(refused)
    await ask()
    for (let count = 0; count < 50; count += 1) {
      clock.now += 2_000
      await ask()
    }
    clock.now = 299_999
    const last = await ask()
    expect(last).toMatchObject({ kind: 'never-seen' })
    expect(last.kind === 'never-seen' ? last.before[0] : undefined).toEqual({ answeredAt: 5, ago: 299_999 })
  })

  it('forgets one only once its pause was long enough', async () => {
    const { clock, ask } = openAsker(refused)
    await ask()
    clock.now = 700_000
    await ask()
    expect(await ask()).toMatchObject({ before: [{ answeredAt: 700_005, ago: 0 }] })
  })
})

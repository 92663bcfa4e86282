import { memoryStore, type Store } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { findState, issueState } from './state.js'
import { signState } from './token.js'

const now = 1_800_000_000_000
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const subject = { clientOrderId: 'order-1', purpose: 'hosted-form', lifetime: 60, now } as const
/** Short addresses in a store, of a client that has the name `shop` unless told otherwise. */
const short = (store: Store = memoryStore(), name = 'shop') => ({
  stateSecrets,
  store,
  shortAddresses: true,
  payments: { name, environment: 'test' } as const,
})
const sought = { purpose: 'hosted-form', now } as const

describe('a reference', () => {
  it('is 22 characters long, the same for the same order, and another for any other one, purpose or secret', async () => {
    const keeping = short()
    const others = { ...keeping, stateSecrets: [{ id: 'one', secret: 'another secret, 32 bytes long...' }] }
    const all = [
      await issueState(subject, keeping),
      await issueState({ ...subject, clientOrderId: 'order-2' }, keeping),
      await issueState({ ...subject, purpose: '3d-secure' }, keeping),
      await issueState(subject, others),
    ]
    for (const each of all) expect(each).toMatch(/^[\w-]{22}$/)
    expect(new Set(all).size).toBe(4)
    expect(await issueState({ ...subject, now: now + 5 }, keeping)).toBe(all[0])
  })

  it('leads to its order, fresh until its time is over and expired from then on', async () => {
    const keeping = short()
    const token = await issueState(subject, keeping)
    const at = (time: number) => findState({ token, purpose: 'hosted-form', now: time }, keeping)
    expect(await at(now + 59_999)).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
    expect(await at(now + 60_000)).toEqual({ kind: 'expired', clientOrderId: 'order-1' })
  })

  it('is forged where it was not kept, and where it was made for something else', async () => {
    const keeping = short()
    expect(await findState({ ...sought, token: 'A'.repeat(22) }, keeping)).toMatchObject({
      kind: 'refused',
      reason: 'forged-state',
    })
    const token = await issueState({ ...subject, purpose: '3d-secure' }, keeping)
    expect(await findState({ ...sought, token }, keeping)).toMatchObject({ kind: 'refused', reason: 'forged-state' })
  })

  it('is found by every process on the store, and under no other name', async () => {
    const store = memoryStore()
    const token = await issueState(subject, short(store))
    expect(await findState({ ...sought, token }, short(store))).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
    expect(await findState({ ...sought, token }, short(store, 'another shop'))).toMatchObject({ kind: 'refused' })
  })

  it('is found where short addresses are not asked for any more', async () => {
    const keeping = short()
    const token = await issueState(subject, keeping)
    const { shortAddresses: _over, ...signed } = keeping
    expect(await issueState(subject, signed)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await findState({ ...sought, token }, signed)).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
  })

  it('is fresh for as long as the latest one who made it says, whoever writes first', async () => {
    const keeping = short()
    const seconds = [60, 3600, 60, 600, 1]
    const [token = ''] = await Promise.all(seconds.map(lifetime => issueState({ ...subject, lifetime }, keeping)))
    const at = (time: number) => findState({ token, purpose: 'hosted-form', now: time }, keeping)
    expect([await at(now + 3_599_999), await at(now + 3_600_000)]).toMatchObject([
      { kind: 'fresh' },
      { kind: 'expired' },
    ])
  })

  it('is not given away before it is kept', async () => {
    const store = { ...memoryStore(), write: () => Promise.reject(new Error('the database is away')) }
    await expect(issueState(subject, short(store))).rejects.toThrow('the database is away')
  })

  it('is made with a secret only', async () => {
    await expect(issueState(subject, { ...short(), stateSecrets: [] })).rejects.toThrow('There is no state secret')
  })

  it('leaves signed states valid that are still under way', async () => {
    const keeping = short()
    const token = await signState({ ...subject, secrets: stateSecrets })
    expect(await findState({ ...sought, token }, keeping)).toMatchObject({ kind: 'fresh', clientOrderId: 'order-1' })
  })
})

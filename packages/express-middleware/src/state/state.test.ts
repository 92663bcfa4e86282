import { describe, expect, it } from 'vitest'
import { findState, issueState, memoryReferences } from './state.js'
import { signState } from './token.js'

const now = 1_800_000_000_000
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const subject = { clientOrderId: 'order-1', purpose: 'hosted-form', lifetime: 60, now } as const
const sought = { purpose: 'hosted-form', now } as const

describe('a reference', () => {
  it('is 22 characters long, the same for the same order, and another for any other one, purpose or secret', async () => {
    const keeping = { stateSecrets, references: memoryReferences() }
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
    const keeping = { stateSecrets, references: memoryReferences() }
    const token = await issueState(subject, keeping)
    const at = (time: number) => findState({ token, purpose: 'hosted-form', now: time }, keeping)
    expect(await at(now + 59_999)).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
    expect(await at(now + 60_000)).toEqual({ kind: 'expired', clientOrderId: 'order-1' })
  })

  it('is forged where it was not kept, and where it was made for something else', async () => {
    const keeping = { stateSecrets, references: memoryReferences() }
    expect(await findState({ ...sought, token: 'A'.repeat(22) }, keeping)).toMatchObject({
      kind: 'refused',
      reason: 'forged-state',
    })
    const token = await issueState({ ...subject, purpose: '3d-secure' }, keeping)
    expect(await findState({ ...sought, token }, keeping)).toMatchObject({ kind: 'refused', reason: 'forged-state' })
  })

  it('is forged where the store says null for what it does not know, as databases do', async () => {
    const references = { ...memoryReferences(), find: async () => null as never }
    const kept = findState({ ...sought, token: 'A'.repeat(22) }, { stateSecrets, references })
    expect(await kept).toMatchObject({ kind: 'refused', reason: 'forged-state' })
  })

  it('is not given away before it is kept', async () => {
    const references = { ...memoryReferences(), put: () => Promise.reject(new Error('the database is away')) }
    await expect(issueState(subject, { stateSecrets, references })).rejects.toThrow('the database is away')
  })

  it('is made with a secret only', async () => {
    const keeping = { stateSecrets: [], references: memoryReferences() }
    await expect(issueState(subject, keeping)).rejects.toThrow('There is no state secret')
  })

  it('leaves signed states valid that are still under way', async () => {
    const keeping = { stateSecrets, references: memoryReferences() }
    const token = await signState({ ...subject, secrets: stateSecrets })
    expect(await findState({ ...sought, token }, keeping)).toMatchObject({ kind: 'fresh', clientOrderId: 'order-1' })
  })
})

describe('memoryReferences', () => {
  it('forgets the oldest one beyond its capacity, and counts one that was put again as new', async () => {
    const store = memoryReferences({ capacity: 2 })
    const kept = { clientOrderId: 'order-1', purpose: 'hosted-form', expiresAt: now } as const
    for (const reference of ['a', 'b', 'a', 'c']) await store.put(reference, kept)
    expect([await store.find('a'), await store.find('b'), await store.find('c')]).toEqual([kept, undefined, kept])
  })

  it('refuses a capacity that is no count', () => {
    expect(() => memoryReferences({ capacity: 0 })).toThrow('"capacity" is 0; it must be a whole number')
  })
})

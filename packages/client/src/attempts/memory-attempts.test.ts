import type { Attempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryAttempts } from './memory-attempts.js'

const attempt = (clientOrderId: string): Attempt => ({
  attemptId: `attempt of ${clientOrderId}`,
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example',
  endpointId: '39',
  clientOrderId,
  fingerprint: 'f',
  reservedAt: 0,
})

describe('memoryAttempts', () => {
  it('gives an attempt that is settled again no second place among those that are over', async () => {
    const attempts = memoryAttempts({ capacity: 2 })
    for (const id of ['o-1', 'o-2']) await attempts.reserve(attempt(id))
    for (const id of ['o-1', 'o-1', 'o-2']) await attempts.settled(attempt(id), { kind: 'accepted', at: 1 })
    expect(attempts.list().map(({ clientOrderId }) => clientOrderId)).toEqual(['o-1', 'o-2'])
  })

  it('tells attempts with one id apart by merchant and by what the id is of, also when they end', async () => {
    const attempts = memoryAttempts({ capacity: 2 })
    const ours = attempt('o-1')
    const others = [
      { ...ours, operation: 'return', effect: 'changes', attemptId: 'o-1' } as const,
      { ...ours, login: 'another' },
    ]
    for (const each of [ours, ...others]) expect(await attempts.reserve(each)).toEqual({ kind: 'reserved' })
    for (const each of others) await attempts.settled({ ...each }, { kind: 'accepted', at: 1 })
    const ended = () => attempts.list().map(({ end }) => end?.kind)
    expect(ended()).toEqual([undefined, 'accepted', 'accepted'])
    await attempts.settled({ ...ours }, { kind: 'refused', at: 2 })
    expect(attempts.list()).toEqual([
      { ...ours, end: { kind: 'refused', at: 2 } },
      { ...others[1], end: { kind: 'accepted', at: 1 } },
    ])
  })

  it('remembers the other attempts with an id when it forgets one', async () => {
    const attempts = memoryAttempts({ capacity: 1 })
    const first = attempt('o-1')
    const second: Attempt = { ...first, operation: 'return', effect: 'changes', attemptId: 'o-1' }
    for (const each of [first, second]) await attempts.reserve(each)
    for (const each of [first, second]) await attempts.settled(each, { kind: 'accepted', at: 1 })
    expect(await attempts.reserve({ ...first, attemptId: 'x' })).toEqual({ kind: 'reserved' })
    expect(await attempts.reserve(second)).toMatchObject({ kind: 'already-sent' })
  })
})

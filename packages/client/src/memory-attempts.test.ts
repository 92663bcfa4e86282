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
    for (const id of ['o-1', 'o-1', 'o-2']) await attempts.settled(attempt(id), { ending: 'accepted', at: 1 })
    expect(attempts.list().map(({ clientOrderId }) => clientOrderId)).toEqual(['o-1', 'o-2'])
  })
})

import { expect, it } from 'vitest'
import { emptyDocument } from '../../state/document.js'
import type { KnownAttempt } from '../../state/known.js'
import { absenceSeen } from './happened.js'
import { requested } from './reserve.js'

const sale: KnownAttempt = {
  attemptId: 'a-1',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'o-1',
  fingerprint: '0',
  reservedAt: 1_000,
  reservation: 'r-1',
  sendBy: 2_000,
}
const reserved = requested(emptyDocument('o-1'), sale)

it('writes nothing where the way to no trace has gone no further', () => {
  const once = absenceSeen(reserved, sale, { quietSince: 3_000 })
  expect(once?.orders[0]?.attempts[0]?.absence).toEqual({ quietSince: 3_000 })
  expect(absenceSeen(once, sale, { quietSince: 3_000 })).toBe(once)
  const twice = absenceSeen(once, sale, { quietSince: 3_000, neverSeenAt: 4_000 })
  expect(twice?.orders[0]?.attempts[0]?.absence).toEqual({ quietSince: 3_000, neverSeenAt: 4_000 })
  expect(absenceSeen(twice, sale, { quietSince: 3_000, neverSeenAt: 4_000 })).toBe(twice)
})

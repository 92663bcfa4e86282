import { describe, expect, it } from 'vitest'
import type { Attempt, AttemptEnd } from './attempt.js'
import { attemptKey, changedOrderKey, laterEnd, mayHaveArrived, refuseAttempt } from './refuse-attempt.js'

const sale: Attempt = {
  attemptId: 'a',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  clientOrderId: 'o-1',
  fingerprint: 'f',
  reservedAt: 1,
}
const change: Attempt = { ...sale, operation: 'return', effect: 'changes', stages: ['reversal'], orderId: '77' }
const ended = (ending: AttemptEnd['ending']): AttemptEnd => ({ ending, at: 2 })

describe('attemptKey', () => {
  it('is the order of what creates, and the attempt of what changes', () => {
    expect(attemptKey({ ...sale, attemptId: 'b' })).toBe(attemptKey(sale))
    expect(attemptKey({ ...change, attemptId: 'b' })).not.toBe(attemptKey(change))
  })

  it('keeps an order id and an attempt id apart that read the same', () => {
    expect(attemptKey({ ...sale, clientOrderId: 'x' })).not.toBe(attemptKey({ ...change, attemptId: 'x' }))
  })
})

describe('changedOrderKey', () => {
  it.each<[string, Attempt]>([
    ['creates', sale],
    ['moves no money', { ...change, stages: [] }],
  ])('is none for what %s', (_, attempt) => {
    expect(changedOrderKey(attempt)).toBeUndefined()
  })
})

describe('refuseAttempt', () => {
  it.each(['accepted', 'unknown'] as const)('refuses what is %s', ending => {
    const earlier = { ...sale, end: ended(ending) }
    expect(refuseAttempt(sale, [earlier])).toEqual({ reserved: false, reason: 'already-sent', earlier })
  })

  it.each(['refused', 'not-sent', 'no-trace'] as const)('lets pass again what is %s', ending => {
    expect(refuseAttempt(sale, [{ ...sale, end: ended(ending) }])).toEqual({ reserved: true })
  })

  it('names the attempt that may have arrived, and not a later one that did not', () => {
    const accepted = { ...sale, end: ended('accepted') }
    const refused = { ...sale, fingerprint: 'g', end: ended('refused') }
    expect(refuseAttempt(sale, [accepted, refused])).toMatchObject({ reason: 'other-content', earlier: accepted })
  })
})

describe('mayHaveArrived', () => {
  it('is true of what has not ended', () => {
    expect(mayHaveArrived(sale)).toBe(true)
  })
})

describe('laterEnd', () => {
  it.each([
    [undefined, 'unknown', 'unknown'],
    ['unknown', 'accepted', 'accepted'],
    ['unknown', 'no-trace', 'no-trace'],
    ['accepted', 'refused', 'accepted'],
    ['accepted', 'no-trace', 'accepted'],
    ['accepted', 'unknown', 'accepted'],
    ['no-trace', 'unknown', 'no-trace'],
    ['no-trace', 'accepted', 'accepted'],
    ['refused', 'accepted', 'accepted'],
  ] as const)('after %s, %s leaves %s', (before, end, stays) => {
    expect(laterEnd(before === undefined ? undefined : ended(before), ended(end)).ending).toBe(stays)
  })
})

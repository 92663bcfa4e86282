import { describe, expect, it } from 'vitest'
import type { RememberedAttempt } from './attempt.js'
import { readAttempt } from './read-attempt.js'
import { isUnresolved, mayHaveArrived, refuseAttempt } from './refuse-attempt.js'

const sale = {
  attemptId: 'a',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'o-1',
  amount: '10.42',
  currency: 'EUR',
  fingerprint: 'f',
  reservedAt: 1,
} as const satisfies RememberedAttempt

const row = (fields: object): RememberedAttempt =>
  ({
    ...sale,
    endpointGroupId: null,
    orderId: null,
    baseline: null,
    end: null,
    ...fields,
  }) as unknown as RememberedAttempt

describe('readAttempt', () => {
  it('leaves out what is null', () => {
    expect(readAttempt(row({}))).toStrictEqual(sale)
  })

  it('leaves out what is null in its end and its baseline', () => {
    const end = {
      kind: 'unknown',
      basis: null,
      note: null,
      orderId: null,
      serialNumber: null,
      connection: null,
      at: 2,
    }
    const baseline = { askedAt: 1, status: 'approved', stage: null, amount: null, currency: null, serialNumber: null }
    expect(readAttempt(row({ end, baseline }))).toStrictEqual({
      ...sale,
      end: { kind: 'unknown', at: 2 },
      baseline: { askedAt: 1, status: 'approved' },
    })
  })

  it('is the very attempt where nothing is null', () => {
    const attempt: RememberedAttempt = {
      ...sale,
      end: { kind: 'accepted', at: 2 },
      baseline: { askedAt: 1, status: 'x' },
    }
    expect(readAttempt(attempt)).toBe(attempt)
  })

  it.each([
    ['is null', null, 'it is no object'],
    ['is a text', '{}', 'it is no object'],
    ['reads', row({ effect: 'reads' }), '"effect" is neither'],
    ['has no stages', row({ stages: null }), '"stages" is no list'],
    ['has no attempt id', row({ attemptId: null }), '"attemptId" is missing'],
    ['has a login that is a number', row({ login: 7 }), '"login" is a number'],
    ['has an amount that is a number', row({ amount: 10.42 }), '"amount" is a number'],
    ['has an order id that is a number', row({ orderId: 77 }), '"orderId" is a number'],
    ['has an end that is a text', row({ end: 'unknown' }), '"end" is a string'],
    ['has an ending that is a number', row({ end: { kind: 1 } }), '"end.kind" is a number'],
    ['has a baseline over a number', row({ baseline: { status: 'x', amount: 1 } }), '"baseline.amount" is a number'],
  ])('refuses what %s', (_, wrong, text) => {
    const read = () => readAttempt(wrong as unknown as RememberedAttempt)
    expect(read).toThrow(TypeError)
    expect(read).toThrow(text)
  })
})

describe('an attempt that came back with nulls', () => {
  it('may have arrived and is unresolved without an end', () => {
    expect(mayHaveArrived(row({}))).toBe(true)
    expect(isUnresolved(row({}))).toBe(true)
    expect(isUnresolved(row({ end: { kind: null, at: 1 } }))).toBe(true)
  })

  it('forbids the same one, and an open change another change', () => {
    expect(refuseAttempt(sale, [row({})])).toMatchObject({ kind: 'already-sent', earlier: sale })
    const change = row({ attemptId: 'b', operation: 'return', effect: 'changes', stages: ['reversal'], orderId: '77' })
    const next = { ...readAttempt(change), attemptId: 'c' }
    expect(refuseAttempt(next, [change])).toMatchObject({ kind: 'open-change' })
  })

  it('without an order id is no change of any order', () => {
    const change = row({ attemptId: 'b', operation: 'return', effect: 'changes', stages: ['reversal'] })
    const next = { ...change, attemptId: 'c' }
    expect(refuseAttempt(readAttempt(next), [change])).toEqual({ kind: 'reserved' })
  })

  it('that is none lets nothing pass', () => {
    expect(() => refuseAttempt(sale, [row({ stages: null })])).toThrow('no attempt')
  })
})

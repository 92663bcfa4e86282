import type { Attempt, AttemptEnd, StatusSnapshot } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import {
  attemptKey,
  changedOrderKey,
  changesPart,
  isUnresolved,
  laterEnd,
  mayHaveArrived,
  type RememberedAttempt,
  readAttempt,
  refuseAttempt,
} from './attempt-rules.js'

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
const whole: Attempt = { ...change, operation: 'void', stages: ['void'] }
const part: Attempt = { ...change, amount: '3.00', currency: 'EUR' }
const ended = (ending: AttemptEnd['kind']): AttemptEnd => ({ kind: ending, at: 2 })

describe('attemptKey', () => {
  it('is the order of what creates or changes the whole, and the attempt of what changes a part or moves no money', () => {
    for (const each of [sale, whole, change]) expect(attemptKey({ ...each, attemptId: 'b' })).toBe(attemptKey(each))
    for (const each of [part, { ...change, stages: [] }])
      expect(attemptKey({ ...each, attemptId: 'b' })).not.toBe(attemptKey(each))
  })

  it('tells whole changes of different kinds, orders and merchants apart', () => {
    const others = [whole, change, { ...whole, orderId: '78' }, { ...whole, login: 'other' }]
    expect(new Set(others.map(attemptKey)).size).toBe(4)
  })

  it.each([
    ['a port and another name of the machine', 'http://localhost:4010/paynet'],
    ['a slash at the end', 'https://gate.example/paynet/'],
    ['a percent-escape', 'https://gate.example/%70aynet'],
  ])('does not depend on the address: %s', (_, baseUrl) => {
    for (const each of [sale, whole, part]) expect(attemptKey({ ...each, baseUrl })).toBe(attemptKey(each))
    expect(changedOrderKey({ ...part, baseUrl })).toBe(changedOrderKey(part))
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
    expect(refuseAttempt(sale, [earlier])).toEqual({ kind: 'already-sent', earlier })
  })

  it.each(['refused', 'not-sent', 'no-trace'] as const)('lets pass again what is %s', ending => {
    expect(refuseAttempt(sale, [{ ...sale, end: ended(ending) }])).toEqual({ kind: 'reserved' })
  })

  it('names the attempt that may have arrived, and not a later one that did not', () => {
    const accepted = { ...sale, end: ended('accepted') }
    const refused = { ...sale, fingerprint: 'g', end: ended('refused') }
    expect(refuseAttempt(sale, [accepted, refused])).toMatchObject({ kind: 'other-content', earlier: accepted })
  })
})

describe('changesPart', () => {
  it.each([
    ['a return with an amount', part, true],
    ['a return without one', change, false],
    ['a sale', { ...sale, amount: '3.00' }, false],
    ['an upload', { ...part, stages: [] }, false],
  ])('of %s', (_, attempt, expected) => {
    expect(changesPart(attempt)).toBe(expected)
  })
})

describe('refuseAttempt, of a change of the whole order', () => {
  const baseline = { askedAt: 3, status: 'approved', outcome: 'approved', stage: 'preauth' } as const
  const again: Attempt = { ...whole, attemptId: 'b', fingerprint: 'g', baseline }
  const accepted = { ...whole, baseline, end: ended('accepted') }
  const refused = { ...whole, end: ended('refused') }
  const failed = { ...baseline, status: 'declined', outcome: 'declined', stage: 'void' } as const

  it.each(['accepted', 'unknown', undefined] as const)('refuses a second one, with other content too: %s', ending => {
    const earlier = ending === undefined ? whole : { ...whole, end: ended(ending) }
    expect(refuseAttempt(again, [earlier])).toEqual({ kind: 'already-sent', earlier })
  })

  it.each([
    ['it was not sent', { ...whole, end: ended('not-sent') }, undefined],
    ['it was refused, and status shows the order without it', refused, baseline],
    [
      'a person says that it was refused',
      { ...whole, end: { ...ended('refused'), basis: 'person' } as const },
      undefined,
    ],
    ['it was accepted, and status shows that it failed', accepted, failed],
  ])('lets another one pass: %s', (_, earlier, shown) => {
    const { baseline: _baseline, ...rest } = again
    const attempt = shown === undefined ? rest : { ...rest, baseline: shown }
    expect(refuseAttempt(attempt, [earlier])).toEqual({ kind: 'reserved' })
  })

  it.each<[string, RememberedAttempt[], StatusSnapshot | undefined]>([
    ['it was refused, and status did not answer', [refused], undefined],
    ['it was refused, and status names no stage', [refused], { askedAt: 3, status: 'approved' }],
    ['it was refused, and status shows such a stage', [refused], failed],
    [
      'it was accepted, and status shows that it is under way',
      [accepted],
      { askedAt: 3, status: 'processing', stage: 'void' },
    ],
    [
      'it was accepted, and status shows it approved',
      [accepted],
      { ...failed, status: 'approved', outcome: 'approved' },
    ],
    [
      'it was accepted, and a failed stage may be that of another one',
      [accepted, { ...accepted, attemptId: 'c' }],
      failed,
    ],
    [
      'an earlier one is unknown, whatever a later one ended in',
      [{ ...whole, end: ended('unknown') }, refused],
      baseline,
    ],
  ])('lets no other one pass: %s', (_, earlier, shown) => {
    const { baseline: _baseline, ...rest } = again
    const attempt = shown === undefined ? rest : { ...rest, baseline: shown }
    expect(refuseAttempt(attempt, earlier)).toMatchObject({ kind: 'already-sent' })
  })

  it('lets no failed stage of a part stand for the whole', () => {
    const capture: Attempt = { ...whole, operation: 'capture', stages: ['capture'] }
    const ofPart = { ...capture, amount: '3.00', attemptId: 'p', end: ended('accepted') }
    const shown = { ...failed, stage: 'capture' } as const
    const attempt = { ...capture, attemptId: 'b', baseline: shown }
    const earlier = { ...capture, baseline, end: ended('accepted') }
    expect(refuseAttempt(attempt, [earlier])).toEqual({ kind: 'reserved' })
    expect(refuseAttempt(attempt, [earlier, ofPart])).toMatchObject({ kind: 'already-sent', earlier })
  })

  it('lets no failed stage stand for it that status showed before it was sent', () => {
    const earlier = { ...accepted, baseline: failed }
    expect(refuseAttempt({ ...again, baseline: failed }, [earlier])).toMatchObject({ kind: 'already-sent', earlier })
    expect(refuseAttempt({ ...again, baseline: failed }, [accepted])).toEqual({ kind: 'reserved' })
  })

  it('lets no failed stage stand for it where it is not known what status showed before', () => {
    const { baseline: _baseline, ...earlier } = accepted
    expect(refuseAttempt({ ...again, baseline: failed }, [earlier])).toMatchObject({ kind: 'already-sent', earlier })
  })

  it('is one change of its order among others', () => {
    const open = { ...part, attemptId: 'p' }
    expect(refuseAttempt(again, [open])).toEqual({ kind: 'open-change', earlier: open })
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
    expect(laterEnd(before === undefined ? undefined : ended(before), ended(end)).kind).toBe(stays)
  })
})

it('joins what two know who say the same, and lets a person correct a person', () => {
  const byStatus: AttemptEnd = { kind: 'accepted', basis: 'status', orderId: '77', at: 1 }
  const answer: AttemptEnd = {
    kind: 'accepted',
    orderId: '77',
    serialNumber: 's-1',
    redirectUrl: 'https://gate.example/form',
    at: 2,
  }
  expect(laterEnd(byStatus, answer)).toEqual({ ...answer, ...byStatus })
  const wrong: AttemptEnd = { kind: 'accepted', basis: 'person', note: 'ticket 1', at: 1 }
  const right: AttemptEnd = { kind: 'no-trace', basis: 'person', note: 'ticket 2', at: 2 }
  expect(laterEnd(wrong, right)).toBe(right)
  expect(laterEnd(answer, right)).toBe(answer)
})

const stored = {
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
    ...stored,
    endpointGroupId: null,
    orderId: null,
    baseline: null,
    end: null,
    ...fields,
  }) as unknown as RememberedAttempt

describe('readAttempt', () => {
  it('leaves out what is null', () => {
    expect(readAttempt(row({}))).toStrictEqual(stored)
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
      ...stored,
      end: { kind: 'unknown', at: 2 },
      baseline: { askedAt: 1, status: 'approved' },
    })
  })

  it('is the very attempt where nothing is null', () => {
    const attempt: RememberedAttempt = {
      ...stored,
      end: { kind: 'accepted', at: 2 },
      baseline: { askedAt: 1, status: 'x' },
    }
    expect(readAttempt(attempt)).toBe(attempt)
  })

  it.each([
    ['is null', null, 'it is not an object'],
    ['is a text', '{}', 'it is not an object'],
    ['reads', row({ effect: 'reads' }), '"effect" is neither'],
    ['has no stages', row({ stages: null }), '"stages" is not a list'],
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
    expect(refuseAttempt(stored, [row({})])).toMatchObject({ kind: 'already-sent', earlier: stored })
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
    expect(() => refuseAttempt(stored, [row({ stages: null })])).toThrow('not an attempt')
  })
})

describe('readAttempt, of an id that is none', () => {
  const attempt = { ...change, endpointId: '39' }

  // Texts that JavaScript and other languages make of a value that is missing.
  it.each(['undefined', 'null', 'NaN', '[object Object]', 'None', 'nil', '', ' \t', '\u200b'])('refuses %j', text => {
    expect(() => readAttempt({ ...attempt, clientOrderId: text })).toThrow('"clientOrderId" is')
    expect(() => readAttempt({ ...attempt, orderId: text })).toThrow('"orderId" is')
    const end = { kind: 'unknown', at: 1 } as const
    expect(() => readAttempt({ ...attempt, end: { ...end, serialNumber: text } })).toThrow('"end.serialNumber" is')
  })
})

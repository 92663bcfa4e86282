import { type Attempt, defaultProfile, type StatusSnapshot } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { RememberedAttempt } from '../../state/attempt-rules.js'
import { doubtsAboutChange, doubtsAboutNamed } from './change-doubts.js'

const sold: StatusSnapshot = { askedAt: 0, status: 'approved', stage: 'sale', amount: '10.00', currency: 'EUR' }
const whole: Attempt = {
  attemptId: 'a-1',
  operation: 'return',
  effect: 'changes',
  stages: ['cancel', 'reversal'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'o-1',
  orderId: '77',
  fingerprint: '',
  baseline: sold,
  reservedAt: 1,
}
const part: Attempt = { ...whole, amount: '3.00', currency: 'EUR' }

/** What status says now: a reversal of the whole, unless told otherwise. */
const shown = (fields: { readonly [Field in keyof StatusSnapshot]?: StatusSnapshot[Field] | undefined } = {}) =>
  ({ ...sold, askedAt: 2, stage: 'reversal', ...fields }) as StatusSnapshot
const shownPart = shown({ amount: '3.00' })

const other = (attempt: Attempt, ending?: 'accepted' | 'refused' | 'not-sent' | 'no-trace' | 'unknown') =>
  ({
    ...attempt,
    attemptId: 'a-2',
    ...(ending === undefined ? {} : { end: { kind: ending, at: 0 } }),
  }) satisfies RememberedAttempt
const voided: Attempt = { ...whole, operation: 'void', stages: ['void'] }

const judge = (attempt: Attempt, reply: StatusSnapshot, others: readonly RememberedAttempt[] | undefined = []) =>
  doubtsAboutChange({ attempt, reply, others, profile: defaultProfile })
const since = (attempt: Attempt, baseline: Partial<StatusSnapshot>): Attempt => ({
  ...attempt,
  baseline: { ...sold, ...baseline },
})

describe('doubtsAboutChange', () => {
  it.each([
    ['the whole, over what was sold', whole, shown()],
    ['the whole, over an amount that is not said', whole, shown({ amount: undefined, currency: undefined })],
    ['a part', part, shownPart],
    ['a part in other words', part, shown({ amount: '3' })],
    ['a void over whatever it says', voided, shown({ stage: 'void', amount: '0' })],
    ['a part after another one that had ended', since(part, { stage: 'reversal', amount: '5.00' }), shownPart],
  ])('has none about %s', (_, attempt, reply) => {
    expect(judge(attempt, reply)).toBeUndefined()
  })

  it.each([
    ['of another whole', whole, whole, shown()],
    ['of another whole, which does not say an amount either', whole, whole, shown({ amount: undefined })],
    ['of a part', whole, part, shown({ amount: undefined })],
    ['of the whole', part, whole, shownPart],
    ['of an equal part', part, { ...part, amount: '3.0' }, shownPart],
    ['of a change that shows alike', whole, { ...voided, stages: ['void', 'cancel'] as const }, shown()],
  ])('does not take for its own what may be the doing %s', (_, attempt, equal, reply) => {
    for (const ending of ['accepted', 'unknown', undefined] as const) {
      expect(judge(attempt, reply, [other(equal, ending)])).toMatchObject({ reason: 'equal-change', needsPerson: true })
    }
    for (const ending of ['refused', 'not-sent', 'no-trace'] as const) {
      expect(judge(attempt, reply, [other(equal, ending)])).toBeUndefined()
    }
  })

  it.each([
    ['over another amount', { ...part, amount: '5.00' }],
    ['of another kind', voided],
  ])('does not mind another change %s', (_, different) => {
    expect(judge(part, shownPart, [other(different, 'unknown')])).toBeUndefined()
  })

  it('sees an equal change among others', () => {
    const others = [other({ ...part, amount: '5.00' }, 'accepted'), other(part, 'refused'), other(part, 'accepted')]
    expect(judge(part, shownPart, others)).toMatchObject({ reason: 'equal-change' })
  })

  it.each([
    ['a part over another amount', part, shown({ amount: '5.00' })],
    ['a part over an amount that is not said', part, shown({ amount: undefined })],
    ['a part over what cannot be read', part, shown({ amount: 'three' })],
    ['a part in another currency', part, shown({ amount: '3.00', currency: 'USD' })],
    ['the whole over a part', whole, shownPart],
    ['the whole in another currency', whole, shown({ currency: 'USD' })],
    ['the whole of a hold over a part', since(whole, { stage: 'preauth' }), shown({ stage: 'cancel', amount: '3.00' })],
  ])('does not take for its own %s', (_, attempt, reply) => {
    expect(judge(attempt, reply)).toMatchObject({ reason: 'other-amount', needsPerson: true })
  })

  it.each([
    ['was under way', part, { status: 'processing', amount: '5.00' }, shownPart],
    ['was over the same amount', part, { amount: '3.0' }, shownPart],
    ['was over an amount that was not said', part, { amount: undefined }, shownPart],
    ['was over what cannot be read', part, { amount: 'ten' }, shownPart],
    ['may be the same, since it was about the whole', whole, { amount: '5.00' }, shownPart],
  ])('does not take for its own a stage like one before that %s', (_, attempt, before, reply) => {
    const baseline = { ...before, stage: 'reversal' } as Partial<StatusSnapshot>
    expect(judge(since(attempt, baseline), reply)).toMatchObject({ reason: 'same-as-before', needsPerson: true })
  })

  it('concludes nothing from another stage, and calls a person only where nothing can be compared later', () => {
    const { baseline: _, ...alone } = whole
    for (const stage of ['sale', 'capture', 'chargeback', 'unrecognized', undefined] as const) {
      expect(judge(whole, shown({ stage }))).toMatchObject({ reason: 'not-shown', needsPerson: false })
      expect(judge(alone, shown({ stage }))).toMatchObject({ reason: 'not-shown', needsPerson: true })
    }
  })

  it('concludes nothing without a baseline, or without the other changes', () => {
    const { baseline: _, ...alone } = whole
    expect(judge(alone, shown())).toMatchObject({ reason: 'no-baseline', needsPerson: true })
    const input = { attempt: whole, reply: shown(), others: undefined, profile: defaultProfile }
    expect(doubtsAboutChange(input)).toMatchObject({ reason: 'no-store', needsPerson: true })
  })
})

describe('doubtsAboutNamed', () => {
  const numbered = (attempt: Attempt, serialNumber: string, kind: 'accepted' | 'refused' | 'unknown' = 'accepted') => ({
    ...attempt,
    end: { kind, serialNumber, at: 0 },
  })
  const own = numbered(part, 'sn-1', 'unknown')

  it('has none about what this request started', () => {
    expect(doubtsAboutNamed({ attempt: own, reply: shownPart, others: [] })).toBeUndefined()
    expect(doubtsAboutNamed({ attempt: own, reply: shownPart, others: undefined })).toBeUndefined()
  })

  it.each([
    ['of another stage', shown({ stage: 'sale', amount: '3.00' })],
    ['of no stage', shown({ stage: undefined, amount: '3.00' })],
    ['over another amount', shown({ amount: '5.00' })],
    ['in another currency', shown({ amount: '3.00', currency: 'USD' })],
  ])('leaves a reply %s to be judged like any other', (_, reply) => {
    expect(doubtsAboutNamed({ attempt: own, reply, others: [] })).toBe('not-named')
  })

  it.each([
    ['under another serial number', numbered(part, 'sn-2'), 'equal-change'],
    ['under a serial number that is not known', other(part), 'equal-change'],
    ['of the whole', numbered(whole, 'sn-2'), 'equal-change'],
    ['that was refused', numbered(part, 'sn-2', 'refused'), undefined],
    ['over another amount', numbered({ ...part, amount: '5.00' }, 'sn-2'), undefined],
    ['under its own serial number', numbered(part, 'sn-1'), undefined],
  ])('knows what follows from an equal change %s', (_, equal, reason) => {
    const doubts = doubtsAboutNamed({ attempt: own, reply: shownPart, others: [{ ...equal, attemptId: 'a-2' }] })
    expect(doubts).toEqual(reason && expect.objectContaining({ reason, needsPerson: true }))
  })
})

import { type Attempt, defaultProfile, type StatusSnapshot } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { RememberedAttempt } from '../../state/attempt-rules.js'
import { showsChange } from './shown.js'

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

/** A snapshot of status: a reversal of the whole, unless told otherwise. */
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

const judge = (attempt: Attempt, reply: StatusSnapshot, others: readonly RememberedAttempt[] = []) =>
  showsChange({ attempt, reply, isNamed: false, others, profile: defaultProfile })
const since = (attempt: Attempt, baseline: Partial<StatusSnapshot>): Attempt => ({
  ...attempt,
  baseline: { ...sold, ...baseline },
})

describe('showsChange', () => {
  it.each([
    ['the whole, over what was sold', whole, shown()],
    ['the whole, over an amount that is not said', whole, shown({ amount: undefined, currency: undefined })],
    ['a part', part, shownPart],
    ['a part in other words', part, shown({ amount: '3' })],
    ['a void over whatever it says', voided, shown({ stage: 'void', amount: '0' })],
    ['a part after another one that had ended', since(part, { stage: 'reversal', amount: '5.00' }), shownPart],
  ])('sees %s', (_, attempt, reply) => {
    expect(judge(attempt, reply)).toBe(true)
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
      expect(judge(attempt, reply, [other(equal, ending)])).toBe(false)
    }
    for (const ending of ['refused', 'not-sent', 'no-trace'] as const) {
      expect(judge(attempt, reply, [other(equal, ending)])).toBe(true)
    }
  })

  it.each([
    ['over another amount', { ...part, amount: '5.00' }],
    ['of another kind', voided],
  ])('does not mind another change %s', (_, different) => {
    expect(judge(part, shownPart, [other(different, 'unknown')])).toBe(true)
  })

  it('sees an equal change among others', () => {
    const others = [other({ ...part, amount: '5.00' }, 'accepted'), other(part, 'refused'), other(part, 'accepted')]
    expect(judge(part, shownPart, others)).toBe(false)
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
    expect(judge(attempt, reply)).toBe(false)
  })

  it.each([
    ['was under way', part, { status: 'processing', amount: '5.00' }, shownPart],
    ['was over the same amount', part, { amount: '3.0' }, shownPart],
    ['was over an amount that was not said', part, { amount: undefined }, shownPart],
    ['was over what cannot be read', part, { amount: 'ten' }, shownPart],
    ['may be the same, since it was about the whole', whole, { amount: '5.00' }, shownPart],
  ])('does not take for its own a stage like one before that %s', (_, attempt, before, reply) => {
    const baseline = { ...before, stage: 'reversal' } as Partial<StatusSnapshot>
    expect(judge(since(attempt, baseline), reply)).toBe(false)
  })

  it.each(['sale', 'capture', 'chargeback', 'unrecognized', undefined] as const)('concludes nothing from %s', stage => {
    expect(judge(whole, shown({ stage }))).toBe(false)
  })

  it('concludes nothing without a baseline', () => {
    const { baseline: _, ...alone } = whole
    expect(judge(alone, shown())).toBe(false)
  })
})

describe('showsChange, of the serial number of the change', () => {
  const numbered = (attempt: Attempt, serialNumber: string, kind: 'accepted' | 'refused' | 'unknown' = 'accepted') => ({
    ...attempt,
    end: { kind, serialNumber, at: 0 },
  })
  const own = numbered(part, 'sn-1', 'unknown')

  const judgeNamed = (attempt: RememberedAttempt, reply: StatusSnapshot, others: readonly RememberedAttempt[] = []) =>
    showsChange({ attempt, reply, isNamed: true, others, profile: defaultProfile })

  it('sees what this request started, with a baseline and without one', () => {
    const { baseline: _, ...alone } = own
    for (const attempt of [own, alone]) expect(judgeNamed(attempt, shownPart)).toBe(true)
  })

  it.each([
    ['of another stage', shown({ stage: 'sale', amount: '3.00' })],
    ['of no stage', shown({ stage: undefined, amount: '3.00' })],
    ['over another amount', shown({ amount: '5.00' })],
    ['in another currency', shown({ amount: '3.00', currency: 'USD' })],
  ])('concludes nothing from a reply %s', (_, reply) => {
    expect(judgeNamed(own, reply)).toBe(false)
  })

  it.each([
    ['under another serial number', numbered(part, 'sn-2'), false],
    ['under a serial number that is not known', other(part), false],
    ['of the whole', numbered(whole, 'sn-2'), false],
    ['that was refused', numbered(part, 'sn-2', 'refused'), true],
    ['over another amount', numbered({ ...part, amount: '5.00' }, 'sn-2'), true],
    ['under its own serial number', numbered(part, 'sn-1'), true],
  ])('knows what follows from an equal change %s', (_, equal, isShown) => {
    expect(judgeNamed(own, shownPart, [{ ...equal, attemptId: 'a-2' }])).toBe(isShown)
  })
})

import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { withFacts } from '../../../test/state/facts-of.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownStage } from '../../state/known.js'
import { hasLostChange, nextChangeStep } from './change-step.js'

const attempt: KnownAttempt = {
  attemptId: 'a-1',
  reservation: 'r-1',
  operation: 'preauth',
  effect: 'creates',
  stages: ['preauth'],
  login: 'merchant',
  baseUrl: 'https://gate.example',
  endpointId: '39',
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  fingerprint: 'f',
  reservedAt: 0,
  sendBy: 10,
  end: { kind: 'accepted', orderId: '77', serialNumber: 's-1', at: 1 },
}

const { amount: _amount, currency: _currency, ...rest } = attempt
const capture: KnownAttempt = {
  ...rest,
  attemptId: 'a-2',
  reservation: 'r-2',
  operation: 'capture',
  effect: 'changes',
  stages: ['capture'],
  orderId: '77',
  end: { kind: 'accepted', serialNumber: 's-2', at: 2 },
}

const hold: KnownStage = {
  stage: 'preauth',
  status: 'approved',
  outcome: 'approved',
  amount: '10.00',
  currency: 'EUR',
  askedAt: 2,
  corrections: [],
}

const declined: KnownStage = { ...hold, stage: 'capture', status: 'declined', outcome: 'declined', serialNumber: 's-2' }

const documentOf = (attempts: readonly KnownAttempt[], stages: readonly KnownStage[]): PaymentDocument =>
  withFacts({
    v: 1,
    reference: 'o-1',
    orders: [{ clientOrderId: 'o-1', login: 'merchant', orderId: '77', attempts, stages }],
  })

const facts = { profile: defaultProfile, at: 1_000, wasAsked: true }

describe('a capture of the whole that failed', () => {
  const document = documentOf([attempt, capture], [hold, declined])

  it('may be sent again', () => {
    expect(nextChangeStep(document, { name: 'capture' }, facts).kind).toBe('send')
  })

  it('was carried out where it is to be sent once, and is sent where it was there before', () => {
    expect(nextChangeStep(document, { name: 'capture', before: [] }, facts).kind).toBe('again')
    expect(nextChangeStep(document, { name: 'capture', before: ['r-2'] }, facts).kind).toBe('send')
  })

  it('may not be sent again once its decline was corrected: a person must look', () => {
    const corrected = { ...declined, corrections: [{ from: 'declined', to: 'approved', askedAt: 3 }] }
    expect(nextChangeStep(documentOf([attempt, capture], [hold, corrected]), { name: 'capture' }, facts).kind).toBe(
      'again',
    )
  })
})

describe('a part', () => {
  const part = { ...capture, attemptId: 'capture:1:parcel-1', amount: '4.00', currency: 'EUR' }
  const captured = { ...declined, status: 'approved', outcome: 'approved', amount: '4.00' } as const

  it.each([
    { what: 'the same key, spelt otherwise', amount: '4.0', key: 'parcel-1', kind: 'again' },
    { what: 'the same key, another amount', amount: '5.00', key: 'parcel-1', kind: 'other-amount' },
    { what: 'another key', amount: '6.00', key: 'parcel-2', kind: 'send' },
    { what: 'another key, more than is left', amount: '6.01', key: 'parcel-2', kind: 'too-much' },
    { what: 'a key that looks like a later try', amount: '6.00', key: '1:parcel-1', kind: 'send' },
  ])('$what: $kind', ({ amount, key, kind }) => {
    const step = nextChangeStep(
      documentOf([attempt, part], [hold, captured]),
      { name: 'capture', part: { amount, key } },
      facts,
    )
    expect(step.kind).toBe(kind)
  })

  it('leaves the rest, by its amount and under an id of its own', () => {
    const step = nextChangeStep(documentOf([attempt, part], [hold, captured]), { name: 'capture' }, facts)
    expect(step).toMatchObject({ kind: 'send', amount: '6.00', attemptId: 'capture-rest:1' })
  })

  it('lets nothing be worked out while its end was not shown', () => {
    const document = documentOf([attempt, part], [hold])
    expect(nextChangeStep(document, { name: 'capture' }, { ...facts, wasAsked: false }).kind).toBe('ask')
    expect(nextChangeStep(document, { name: 'capture' }, facts).kind).toBe('open')
  })
})

describe('a change where the store was restored from a backup', () => {
  const restored = { ...facts, restored: true }
  const chargeback: KnownStage = { ...hold, stage: 'chargeback' }

  it('is sent once status was asked, and shows nothing that the store lacks', () => {
    const document = documentOf([attempt], [hold])
    expect(nextChangeStep(document, { name: 'capture' }, { ...restored, wasAsked: false }).kind).toBe('ask')
    expect(nextChangeStep(document, { name: 'capture' }, restored).kind).toBe('send')
    const [order = never()] = documentOf([attempt], [hold, chargeback]).orders
    expect(hasLostChange(order)).toBe(false)
  })

  it.each([
    ['is under way', { ...declined, status: 'processing', outcome: undefined }],
    ['was approved', { ...hold, stage: 'capture', amount: '3.00', serialNumber: 's-9' }],
  ] as const)('is not sent where another one %s that the store lacks', (_, lost) => {
    const { outcome, ...rest } = lost
    const document = documentOf([attempt], [hold, outcome === undefined ? rest : { ...rest, outcome }])
    const part = { amount: '2.00', key: 'parcel-2' }
    expect(nextChangeStep(document, { name: 'capture', part }, restored).kind).not.toBe('send')
    expect(hasLostChange(document.orders[0] ?? never())).toBe(true)
  })

  it('is sent where another one failed that the store lacks', () => {
    expect(nextChangeStep(documentOf([attempt], [hold, declined]), { name: 'capture' }, restored).kind).toBe('send')
  })
})

const never = (): never => {
  throw new Error('There is no order.')
}

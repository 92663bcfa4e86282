import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { withFacts } from '../../test/state/facts-of.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt, KnownOrder } from '../state/known.js'
import type { Answer } from './answer.js'
import { learnt } from './learn.js'

const minute = 60_000
const sent = {
  reservedAt: 0,
  sendBy: 30_000,
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
}
const ids = { clientOrderId: 'basket-7', fingerprint: 'f' }

/** A sale of which nobody knows how it ended; its connection was closed after a second. */
const sale: KnownAttempt = {
  ...sent,
  ...ids,
  reservation: 'run/1',
  attemptId: 'basket-7',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  amount: '10.00',
  currency: 'EUR',
  end: { kind: 'unknown', connection: 'closed', at: 1_000 },
}
const part: KnownAttempt = {
  ...sent,
  ...ids,
  reservation: 'run/2',
  attemptId: 'return:1:cup',
  operation: 'return',
  effect: 'changes',
  stages: ['cancel', 'reversal'],
  orderId: '77',
  amount: '3.00',
  currency: 'EUR',
  baseline: { askedAt: 0, status: 'approved', outcome: 'approved', stage: 'sale', amount: '10.00', currency: 'EUR' },
  end: { kind: 'unknown', serialNumber: 's-2', at: 1_000 },
}

const paymentOf = (order: Partial<KnownOrder>): PaymentDocument =>
  withFacts({
    v: 1,
    reference: 'basket-7',
    orders: [{ login: 'merchant', clientOrderId: 'basket-7', attempts: [], stages: [], ...order }],
  })

const said = (fields: Partial<StatusResponse> = {}): StatusResponse => ({
  status: 'approved',
  transactionType: 'sale',
  amount: '10.00',
  currency: 'EUR',
  clientOrderId: 'basket-7',
  orderId: '77',
  raw: {},
  ...fields,
})

const question = { login: 'merchant', clientOrderId: 'basket-7', endpointId: '39' }
const at = (askedAt: number) => ({ question, askedAt, answeredAt: askedAt + 10 })
const reply = (fields: Partial<StatusResponse> = {}, askedAt = 20 * minute): Answer => ({
  ...at(askedAt),
  kind: 'reply',
  reply: said(fields),
})
const neverSeen = (askedAt: number, fields: Partial<Extract<Answer, { kind: 'never-seen' }>> = {}): Answer => ({
  ...at(askedAt),
  kind: 'never-seen',
  baseUrl: sale.baseUrl,
  before: [],
  ...fields,
})

const learning = { profile: defaultProfile, quietPeriod: 15 * minute, apart: 5 * minute }

const learnFrom = (order: Partial<KnownOrder>, answer: Answer, before: readonly Answer[] = []) =>
  learnt(paymentOf(order), answer, { ...learning, before }).map(happening =>
    happening.kind === 'ended'
      ? `${happening.attempt.reservation} ${happening.end.kind}`
      : happening.kind === 'absent'
        ? `${happening.attempt.reservation} absent ${happening.absence.neverSeenAt ?? 'too early'}`
        : happening.kind,
  )

describe('an answer that shows an order', () => {
  it('says that the request was accepted which nobody knows the end of', () => {
    expect(learnFrom({ attempts: [sale] }, reply())).toEqual(['run/1 accepted', 'status'])
    const [ended] = learnt(paymentOf({ attempts: [sale] }), reply(), {
      profile: defaultProfile,
      before: [],
      quietPeriod: 1,
      apart: 1,
    })
    expect(ended).toMatchObject({ end: { basis: 'status', orderId: '77', at: 20 * minute + 10 } })
  })

  it.each([
    ['while its answer may still come', reply({}, 59_999)],
    ['where it is in another currency', reply({ currency: 'USD' })],
    ['where it is over more', reply({ amount: '11.00' })],
    ['where another kind of request made it', reply({ transactionType: 'payout' })],
    ['where it is another order', reply({ clientOrderId: 'basket-8' })],
  ])('says nothing of that request %s', (_, answer) => {
    expect(learnFrom({ attempts: [sale] }, answer)).toEqual(['status'])
  })

  it('says nothing of a request whose end is known, and nothing of an order that is not kept', () => {
    expect(learnFrom({ attempts: [{ ...sale, end: { kind: 'refused', at: 1_000 } }] }, reply())).toEqual(['status'])
    expect(learnFrom({ attempts: [sale], login: 'another' }, reply())).toEqual([])
  })
})

describe('an answer of absence', () => {
  const first = neverSeen(16 * minute)
  const seen = (neverSeenAt: number): KnownAttempt => ({ ...sale, absence: { quietSince: 1_000, neverSeenAt } })

  it('counts once nothing was on its way for the quiet period', () => {
    expect(learnFrom({ attempts: [sale] }, neverSeen(15 * minute))).toEqual(['run/1 absent too early'])
    expect(learnFrom({ attempts: [sale] }, first)).toEqual([`run/1 absent ${16 * minute + 10}`])
  })

  it('says that the request did nothing, with another one before it', () => {
    const attempts = [seen(16 * minute)]
    expect(learnFrom({ attempts }, neverSeen(21 * minute - 1))).toEqual([`run/1 absent ${16 * minute}`])
    expect(learnFrom({ attempts }, neverSeen(21 * minute))).toEqual(['run/1 no-trace'])
  })

  it('goes by the clock of the process too, where that heard both', () => {
    const attempts = [seen(16 * minute)]
    const heard = (ago: number) => neverSeen(30 * minute, { before: [{ answeredAt: 16 * minute, ago }] })
    expect(learnFrom({ attempts }, heard(5 * minute - 1))).toEqual([`run/1 absent ${16 * minute}`])
    expect(learnFrom({ attempts }, heard(5 * minute))).toEqual(['run/1 no-trace'])
  })

  it('takes a request whose process died for over once its time was', () => {
    const { end: _lost, ...died } = sale
    expect(learnFrom({ attempts: [died] }, neverSeen(60_000 + 15 * minute))).toEqual([
      `run/1 absent ${60_000 + 15 * minute + 10}`,
    ])
  })

  it.each<readonly [string, Partial<KnownOrder>, Answer]>([
    ['where the gateway gave the order an id', { orderId: '77', attempts: [sale] }, first],
    ['of another gateway', { attempts: [sale] }, neverSeen(16 * minute, { baseUrl: 'https://other.example' })],
    [
      'of another endpoint',
      { attempts: [sale] },
      neverSeen(16 * minute, { question: { ...question, endpointId: '40' } }),
    ],
    [
      'about a request of a number',
      { attempts: [sale] },
      neverSeen(16 * minute, { question: { ...question, bySerialNumber: 's' } }),
    ],
    ['about a change', { orderId: '77', attempts: [part] }, first],
    ['while a dispatcher may still have it', { attempts: [{ ...sale, end: { kind: 'unknown', at: 1_000 } }] }, first],
  ])('does not count %s', (_, order, answer) => {
    expect(learnFrom(order, answer)).toEqual([])
  })

  it('is none where status only refused', () => {
    expect(learnFrom({ attempts: [sale] }, { ...at(16 * minute), kind: 'refused' })).toEqual([])
  })
})

describe('an answer that shows a change', () => {
  const reversal = { transactionType: 'reversal', amount: '3.00' }
  const numbered = (fields: Partial<StatusResponse> = {}): Answer => ({
    ...at(20 * minute),
    question: { ...question, orderId: '77', bySerialNumber: 's-2' },
    kind: 'reply',
    reply: said({ ...reversal, serialNumber: 's-9', byRequestSn: 's-2', ...fields }),
  })
  const order = { orderId: '77', attempts: [part] }
  const { serialNumber: _none, ...endWithout } = part.end ?? { kind: 'unknown', at: 0 }
  const unnumbered = { orderId: '77', attempts: [{ ...part, end: endWithout }] }

  it('says that the request was accepted which it names', () => {
    expect(learnFrom(order, numbered())).toEqual(['run/2 accepted', 'status'])
  })

  it('says so of the only one that it can be', () => {
    expect(learnFrom(unnumbered, reply(reversal))).toEqual(['run/2 accepted', 'status'])
  })

  it.each<readonly [string, Partial<KnownOrder>, Answer]>([
    ['over other money', order, numbered({ amount: '4.00' })],
    ['that lags behind', order, numbered({ transactionType: 'sale', amount: '10.00' })],
    ['of another number', order, { ...numbered(), question: { ...question, bySerialNumber: 's-3' } }],
    [
      'that an equal one may be',
      {
        ...unnumbered,
        attempts: [
          ...unnumbered.attempts,
          {
            ...part,
            reservation: 'run/3',
            attemptId: 'return:2:cup',
            end: { kind: 'accepted', at: 1_000, serialNumber: 's-4' },
          },
        ],
      },
      reply(reversal),
    ],
  ])('says nothing of a request %s', (_, order, answer) => {
    expect(learnFrom(order, answer)).toEqual(['status'])
  })

  it('says that an earlier reply, by no number, was about another one, once status says another word by the number', () => {
    const failed = reply({ ...reversal, status: 'declined' })
    const known = {
      orderId: '77',
      attempts: [{ ...part, end: { ...endWithout, kind: 'accepted', serialNumber: 's-2' } }],
    } as const
    const happened = (before: Answer) => learnt(paymentOf(known), numbered(reversal), { ...learning, before: [before] })
    expect(happened(failed)).toEqual([
      { kind: 'status', answer: numbered(reversal) },
      { kind: 'status', answer: failed, notAbout: ['s-2'] },
    ])
    // A later failure may be about the same return: the gateway can have taken it back.
    expect(learnt(paymentOf(known), failed, { ...learning, before: [numbered(reversal)] })).toEqual([
      { kind: 'status', answer: failed },
    ])
    for (const other of [
      reply(reversal),
      reply({ status: 'declined' }),
      reply({ ...reversal, status: 'declined', orderId: '78' }),
      neverSeen(minute),
    ])
      expect(happened(other)).toHaveLength(1)
  })

  it('is judged by what status says of the request, and not of the latest one, where it answers both', () => {
    const lagging = numbered({ transactionType: 'sale', amount: '10.00' })
    expect(learnFrom(order, reply(reversal), [lagging])).toEqual(['status'])
    expect(learnFrom(order, reply(reversal))).toEqual(['run/2 accepted', 'status'])
  })
})

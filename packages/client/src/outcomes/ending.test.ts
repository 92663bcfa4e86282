import {
  type AskedSettlement,
  defaultProfile,
  emptyOrder,
  reduceOrder,
  type StatusResponse,
  settle,
} from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../test/soak.js'
import { endedBy, progressAfter, stillUnknown } from './ending.js'
import type { Progress } from './types.js'

const ids = { clientOrderId: 'o-1', orderId: '77' }
const expected = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const begun: Progress = { order: emptyOrder(ids), asked: 0, answered: 0, shownSteps: [] }
const settings = {
  profile: defaultProfile,
  baseUrl: { origin: '', prefix: '', address: '', isPlainHttp: false },
}

const statusReply = (fields: Partial<StatusResponse> = {}): StatusResponse => ({
  ...ids,
  status: 'processing',
  transactionType: 'sale',
  amount: '10.00',
  currency: 'EUR',
  raw: {},
  ...fields,
})

function settled(fields: Partial<StatusResponse>, { order }: Pick<Progress, 'order'> = begun) {
  return settle({ order, expected, observation: { reply: statusReply(fields), askedAt: 2_000 } })
}

/** Takes a status reply about {@link begun}, or about a wait that has got further. */
function take(fields: Partial<StatusResponse>, before: Progress = begun) {
  const settlement = settled(fields, before)
  const progress = progressAfter(before, settlement)
  return { progress, outcome: endedBy(settlement, progress, settings) }
}

/** The steps that were shown once a wait has ended with one. */
const shownBy = (fields: Partial<StatusResponse>, before?: Progress): Progress => {
  const { outcome, progress } = take(fields, before)
  return { ...progress, shownSteps: outcome?.shownSteps ?? [] }
}

const noAnswer: AskedSettlement = {
  kind: 'no-answer',
  explanation: 'Status of order o-1 could not be read; nothing is concluded from that.',
  order: begun.order,
  cause: new Error('The connection broke.'),
}

describe('a settlement', () => {
  it.each([
    ['approved', 'captured'],
    ['declined', 'none'],
    ['filtered', 'none'],
    ['error', 'none'],
  ] as const)('ends a wait on %s', (status, moneyMoved) => {
    const { outcome } = take({ status })
    expect(outcome).toMatchObject({ kind: status, moneyMoved, evidence: 'status-reply', asked: 1, answered: 1 })
    expect(outcome?.explanation).toBe(`The sale of order "o-1" is "${status}" over "10.00" "EUR".`)
  })

  it('counts as asked, and as answered where it is about the order', () => {
    expect(progressAfter(begun, noAnswer)).toEqual({ ...begun, asked: 1 })
    expect(take({ clientOrderId: 'o-2' }).progress).toMatchObject({ asked: 1, answered: 0 })
    expect(take({}).progress).toMatchObject({ asked: 1, answered: 1 })
  })

  it('ends nothing on another stage, another order, a word that is not final, or without an answer', () => {
    for (const reply of [
      { transactionType: 'preauth', status: 'approved' },
      { orderId: '78', status: 'approved' },
      {},
    ]) {
      expect(take(reply).outcome).toBeUndefined()
    }
    expect(endedBy(noAnswer, begun, settings)).toBeUndefined()
  })

  it('says what moved where another amount was approved, and nothing where a word was taken back', () => {
    expect(take({ status: 'approved', amount: '9.00' }).outcome).toMatchObject({
      kind: 'needs-person',
      reason: 'amount-differs',
      moneyMoved: 'captured',
    })
    const order = reduceOrder(begun.order, { reply: statusReply({ status: 'declined' }), askedAt: 1_000 })
    expect(take({ status: 'approved' }, { ...begun, order }).outcome).toMatchObject({
      kind: 'needs-person',
      reason: 'corrected',
      moneyMoved: 'unknown',
    })
  })
})

describe('steps of the customer', () => {
  const method = { tdsStatus: 'MethodUrlFrame', tdsMethodUrl: 'https://acs.example/m', tdsServerTransId: 'id-1' }
  const redirect = { redirectTo: 'https://gate.example/3ds/1' }

  it('are handed over the first time', () => {
    const { outcome } = take(method)
    expect(outcome).toMatchObject({ kind: 'needs-customer', step: { kind: 'method' }, moneyMoved: 'unknown' })
    expect(take(method, shownBy(method)).outcome).toBeUndefined()
  })

  it('say what to do with a method step that has no address', () => {
    expect(take({ tdsStatus: 'MethodUrlFrame' }).outcome?.explanation).toContain('"U"')
  })

  it('are handed over again when a cascade asks for them under another id', () => {
    const again = take({ ...method, tdsServerTransId: 'id-2' }, shownBy(method))
    expect(again.outcome).toMatchObject({ kind: 'needs-customer' })
  })

  const challenge = { tdsStatus: 'CReqForm', tdsChallengeUrl: 'https://acs.example/c', tdsCreq: 'creq-1' }

  it('are not taken from a reply about another order or another stage', () => {
    for (const other of [{ clientOrderId: 'o-2' }, { orderId: '78' }, { transactionType: 'preauth' }]) {
      const { outcome, progress } = take({ ...method, ...other })
      expect([outcome, progress.shownSteps]).toEqual([undefined, []])
    }
  })

  it('are handed over one after the other, though they are of one authentication, and none again', () => {
    const first = shownBy(method)
    const next = { ...challenge, tdsServerTransId: 'id-1' }
    expect(take(next, first).outcome).toMatchObject({ kind: 'needs-customer', step: { kind: 'challenge' } })
    // A lagging reply.
    expect(take(method, shownBy(next, first)).outcome).toBeUndefined()
  })

  it('of 3DS 2 are told apart by their id, whatever the message', () => {
    const shown = shownBy({ ...challenge, tdsServerTransId: 'id-1' })
    expect(take({ ...challenge, tdsServerTransId: 'id-1', tdsCreq: 'creq-2' }, shown).outcome).toBeUndefined()
    expect(take({ ...challenge, tdsServerTransId: 'id-2' }, shown).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it('of the gateway are followed once per order, even to another address', () => {
    expect(take({ redirectTo: 'https://gate.example/3ds/2' }, shownBy(redirect)).outcome).toBeUndefined()
  })

  it('of 3DS 1.0.2 are told apart by their merchant data', () => {
    const pares = { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/', tdsPareq: 'e', tdsMd: 'md-1' }
    expect(take(pares, shownBy(pares)).outcome).toBeUndefined()
    expect(take({ ...pares, tdsMd: 'md-2' }, shownBy(pares)).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it.each([
    ['3DS 2', { tdsStatus: 'CReqForm', tdsChallengeUrl: 'https://acs.example/' }, 'tdsCreq'],
    ['3DS 1.0.2', { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/' }, 'tdsPareq'],
  ])('of %s that have no id are told apart by their message, which is not kept', (_, reply, field) => {
    const shown = shownBy({ ...reply, [field]: 'message-1' })
    expect(JSON.stringify(shown.shownSteps)).not.toContain('message-1')
    expect(take({ ...reply, [field]: 'message-1' }, shown).outcome).toBeUndefined()
    expect(take({ ...reply, [field]: 'message-2' }, shown).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it.each([
    ['a word nobody knows', { tdsStatus: 'RedirectForm' }, '"RedirectForm"'],
    ['a step that lacks what it takes', { tdsStatus: 'CReqForm' }, 'no tdsChallengeUrl'],
  ])('go to a person, once, for %s', (_, fields, text) => {
    const { outcome } = take(fields)
    expect(outcome).toMatchObject({ kind: 'needs-person', reason: 'unusable-step', moneyMoved: 'unknown' })
    expect(outcome?.explanation).toContain(text)
    expect(take(fields, shownBy(fields)).outcome).toBeUndefined()
  })

  it('are never handed over twice, in whatever order replies show them', () => {
    const step = fc.constantFrom<Partial<StatusResponse>>(
      redirect,
      { redirectTo: 'https://gate.example/3ds/2' },
      { tdsStatus: 'MethodUrlFrame', tdsServerTransId: 'id-1' },
      { tdsStatus: 'MethodUrlFrame', tdsServerTransId: 'id-2' },
      {},
    )
    fc.assert(
      fc.property(fc.array(step), replies => {
        let progress = begun
        const shown: string[] = []
        for (const fields of replies) {
          const { outcome, progress: after } = take(fields, progress)
          if (outcome?.kind === 'needs-customer') shown.push(fields.tdsServerTransId ?? 'redirect')
          progress = { ...after, shownSteps: outcome?.shownSteps ?? after.shownSteps }
        }
        expect(new Set(shown).size).toBe(shown.length)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })
})

describe('stillUnknown', () => {
  const stages = ['sale']

  it('claims nothing, and says what was tried and what to do', () => {
    const outcome = stillUnknown('time-is-up', progressAfter(begun, noAnswer), { stages, last: noAnswer })
    expect(outcome).toMatchObject({ kind: 'still-unknown', moneyMoved: 'unknown', evidence: 'none' })
    expect(outcome.explanation).toBe(
      'How the sale of order "o-1" ended is not known: the time is up after 1 question, 0 of them answered. Do not send ' +
        'it again; ask again later, or when a callback comes. The last one: Status of order o-1 could not be read; nothing is ' +
        'concluded from that. The connection broke.',
    )
  })

  it('names the cure where replies name no stage', () => {
    const { transactionType: _, ...reply } = statusReply({ status: 'approved' })
    const last = settle({ order: begun.order, expected, observation: { reply, askedAt: 2_000 } })
    const { explanation } = stillUnknown('time-is-up', begun, { stages, last })
    expect(explanation).toContain('neither "transactionType" nor "orderStage"')
    expect(explanation).toContain('"replyFields" with defineProfile')
  })

  it('names no cure where the reply speaks of another stage', () => {
    const last = settled({ status: 'approved', transactionType: 'preauth' })
    expect(stillUnknown('time-is-up', begun, { stages, last }).explanation).not.toContain('replyFields')
  })

  it('rests on status where status answered', () => {
    expect(stillUnknown('aborted', take({}).progress, { stages, last: undefined })).toMatchObject({
      reason: 'aborted',
      evidence: 'status-reply',
    })
  })
})

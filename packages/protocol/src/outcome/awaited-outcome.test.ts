import { describe, expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { settle } from '../order/settle.js'
import type { Expectation } from '../order/types.js'
import { defaultProfile } from '../profile/profile.js'
import type { AskedSettlement } from './ask-and-settle.js'
import { advanceWait, stillUnknown } from './awaited-outcome.js'
import { type OutcomeQuestion, openWait, type WaitState } from './wait-state.js'

const expected: Expectation = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const question: OutcomeQuestion = { order: { clientOrderId: 'o-1', orderId: '77' }, expected }
const opened = openWait(question, 1_000)

/** Takes a status reply about {@link opened}, or about a wait that is given. */
function take(fields: Partial<StatusResponse>, wait: WaitState = opened) {
  const observation = { reply: statusReply({ status: 'processing', ...fields }), askedAt: 2_000 }
  const settlement = settle({ order: wait.order, expected: wait.expected, observation })
  return advanceWait(wait, { settlement, profile: defaultProfile })
}

const noAnswer: AskedSettlement = {
  kind: 'no-answer',
  explanation: 'Status of order o-1 could not be read; nothing is concluded from that.',
  order: opened.order,
  cause: new Error('The connection broke.'),
}

describe('openWait', () => {
  it('begins with nothing asked and nothing shown', () => {
    expect(opened).toEqual({
      order: { clientOrderId: 'o-1', orderId: '77', stages: [] },
      expected,
      startedAt: 1_000,
      asked: 0,
      answered: 0,
      shown: [],
    })
  })

  it('goes on from what was saved, whatever the time is now', () => {
    const saved = {
      ...opened,
      asked: 3,
      answered: 2,
      shown: ['gateway-run'],
      pace: { phase: 1, since: 5, pauses: 1, paused: 9 },
    }
    expect(openWait(JSON.parse(JSON.stringify(saved)) as WaitState, 9_999)).toEqual(saved)
  })

  it('keeps to the only one of its kind, which needs no serial number after a restart either', () => {
    const one = openWait({ ...question, expected: { stages: ['void'] }, onlyOneOfItsKind: true }, 1_000)
    expect(one.onlyOneOfItsKind).toBe(true)
    expect(openWait(JSON.parse(JSON.stringify(one)) as WaitState, 9_999)).toEqual(one)
  })

  it('takes what a database says as null for what is not known', () => {
    const order = { clientOrderId: 'o-1', orderId: null, stages: null } as unknown as OutcomeQuestion['order']
    expect(openWait({ order, expected }, 0).order).toEqual({ clientOrderId: 'o-1', stages: [] })
  })

  it('keeps the stages of an order that is known', () => {
    const { order } = take({ status: 'approved' }).wait
    expect(openWait({ order, expected }, 0).order).toEqual(order)
  })

  it.each([
    ['no question at all', undefined, 'An outcome is asked for with'],
    ['a reply', { clientOrderId: 'o-1', orderId: '77' }, "outcomeOf('sale', { request, reply }) makes the question"],
    ['an order without an id', { order: {}, expected }, "the merchant's order id"],
    [
      'stages that are no list',
      { ...question, order: { ...question.order, stages: {} } },
      '"order.stages" is not a list',
    ],
    [
      'a stage that is none',
      { ...question, order: { ...question.order, stages: [null] } },
      '"order.stages[0]" is not a stage',
    ],
    ['a stage nobody knows', { ...question, expected: { stages: ['sales'] } }, 'Found: "sales"'],
    ['a pace of somebody else', { ...opened, pace: 5 }, 'This is not a wait'],
    ['an empty pace', { ...opened, pace: null }, 'This is not a wait'],
    ['steps that are no names', { ...opened, shown: [1] }, 'This is not a wait'],
    [
      'a return without its serial number',
      { ...question, expected: { stages: ['cancel', 'reversal'] } },
      '"expected.serialNumber" is missing',
    ],
    ['less than no questions', { ...opened, asked: -1 }, 'This is not a wait'],
    ['half a count', { ...opened, answered: 1.5 }, 'This is not a wait'],
  ])('refuses %s', (_, wrong, text) => {
    const open = () => openWait(wrong as unknown as OutcomeQuestion, 0)
    expect(open).toThrow(TypeError)
    expect(open).toThrow(text)
  })
})

describe('advanceWait', () => {
  it.each([
    ['approved', 'captured'],
    ['declined', 'none'],
    ['filtered', 'none'],
    ['error', 'none'],
  ] as const)('ends on %s', (status, moneyMoved) => {
    const { outcome } = take({ status })
    expect(outcome).toMatchObject({ kind: status, moneyMoved, evidence: 'status-reply', wait: { asked: 1 } })
    expect(outcome?.explanation).toBe(`The sale of order "o-1" is "${status}" over "10.00" "EUR".`)
  })

  it('counts what was asked apart from what was answered', () => {
    const silent = advanceWait(opened, { settlement: noAnswer, profile: defaultProfile })
    expect(silent).toEqual({ wait: { ...opened, asked: 1 } })
    expect(take({ clientOrderId: 'o-2' }).wait).toMatchObject({ asked: 1, answered: 0 })
    expect(take({}).wait).toMatchObject({ asked: 1, answered: 1 })
  })

  it('has not ended on another stage, another order, or a word that is not final', () => {
    for (const reply of [
      { transactionType: 'preauth', status: 'approved' },
      { orderId: '78', status: 'approved' },
      {},
    ]) {
      expect(take(reply)).not.toHaveProperty('outcome')
    }
  })

  it('says what moved where another amount was approved, and nothing where a word was taken back', () => {
    expect(take({ status: 'approved', amount: '9.00' }).outcome).toMatchObject({
      kind: 'needs-person',
      reason: 'amount-differs',
      moneyMoved: 'captured',
    })
    const declined = take({ status: 'declined' }).wait
    expect(take({ status: 'approved' }, declined).outcome).toMatchObject({
      kind: 'needs-person',
      reason: 'corrected',
      moneyMoved: 'unknown',
    })
  })
})

describe('steps of the customer', () => {
  const method = { tdsStatus: 'MethodUrlFrame', tdsMethodUrl: 'https://acs.example/m', tdsServerTransId: 'id-1' }
  const redirect = { redirectTo: 'https://gate.example/3ds/1' }

  it('are handed over the first time, and begin the schedule anew', () => {
    const paced = { ...opened, pace: { phase: 1, since: 0, pauses: 9, paused: 9 } }
    const { outcome, wait } = take(method, paced)
    expect(outcome).toMatchObject({ kind: 'needs-customer', step: { kind: 'method' }, moneyMoved: 'unknown' })
    expect(wait).not.toHaveProperty('pace')
    expect(take(method, wait)).not.toHaveProperty('outcome')
  })

  it('are handed over again when a cascade asks for them under another id', () => {
    const { wait } = take(method)
    expect(take({ ...method, tdsServerTransId: 'id-2' }, wait).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  const challenge = { tdsStatus: 'CReqForm', tdsChallengeUrl: 'https://acs.example/c', tdsCreq: 'creq-1' }

  it('are not taken from a reply about another order or another stage', () => {
    for (const other of [{ clientOrderId: 'o-2' }, { orderId: '78' }, { transactionType: 'preauth' }]) {
      const { outcome, wait } = take({ ...method, ...other })
      expect([outcome, wait.shown]).toEqual([undefined, []])
    }
  })

  it('are handed over one after the other, though they are of one authentication, and none again', () => {
    const { wait } = take(method)
    const second = take({ ...challenge, tdsServerTransId: 'id-1' }, wait)
    expect(second.outcome).toMatchObject({ kind: 'needs-customer', step: { kind: 'challenge' } })
    // A lagging reply.
    expect(take(method, second.wait)).not.toHaveProperty('outcome')
  })

  it('of 3DS 2 are told apart by their id, whatever the message', () => {
    const { wait } = take({ ...challenge, tdsServerTransId: 'id-1' })
    expect(take({ ...challenge, tdsServerTransId: 'id-1', tdsCreq: 'creq-2' }, wait)).not.toHaveProperty('outcome')
    const { outcome } = take({ ...challenge, tdsServerTransId: 'id-2' }, wait)
    expect(outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it('of the gateway are followed once per order, even to another address', () => {
    const { wait } = take(redirect)
    expect(take({ redirectTo: 'https://gate.example/3ds/2' }, wait)).not.toHaveProperty('outcome')
  })

  it('of 3DS 1.0.2 are told apart by their merchant data', () => {
    const pares = { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/', tdsPareq: 'e', tdsMd: 'md-1' }
    const { wait } = take(pares)
    expect(take(pares, wait)).not.toHaveProperty('outcome')
    expect(take({ ...pares, tdsMd: 'md-2' }, wait).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it.each([
    ['3DS 2', { tdsStatus: 'CReqForm', tdsChallengeUrl: 'https://acs.example/' }, 'tdsCreq'],
    ['3DS 1.0.2', { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/' }, 'tdsPareq'],
  ])('of %s that have no id are told apart by their message, which is not kept', (_, reply, field) => {
    const { wait } = take({ ...reply, [field]: 'message-1' })
    expect(JSON.stringify(wait)).not.toContain('message-1')
    expect(take({ ...reply, [field]: 'message-1' }, wait)).not.toHaveProperty('outcome')
    expect(take({ ...reply, [field]: 'message-2' }, wait).outcome).toMatchObject({ kind: 'needs-customer' })
  })

  it('of a word nobody knows go to a person, once', () => {
    const { outcome, wait } = take({ tdsStatus: 'RedirectForm' })
    expect(outcome).toMatchObject({ kind: 'needs-person', reason: 'unusable-step' })
    expect(outcome?.explanation).toContain('"RedirectForm"')
    expect(take({ tdsStatus: 'RedirectForm' }, wait)).not.toHaveProperty('outcome')
  })

  it('that cannot be used go to a person, once', () => {
    const { outcome, wait } = take({ tdsStatus: 'CReqForm' })
    expect(outcome).toMatchObject({ kind: 'needs-person', reason: 'unusable-step', moneyMoved: 'unknown' })
    expect(take({ tdsStatus: 'CReqForm' }, wait)).not.toHaveProperty('outcome')
  })
})

describe('stillUnknown', () => {
  it('claims nothing, and says what was tried and what to do', () => {
    const { wait } = advanceWait(opened, { settlement: noAnswer, profile: defaultProfile })
    const outcome = stillUnknown(wait, { reason: 'time-is-up', last: noAnswer })
    expect(outcome).toMatchObject({ kind: 'still-unknown', moneyMoved: 'unknown', evidence: 'none' })
    expect(outcome.explanation).toBe(
      'How the sale of order "o-1" ended is not known: the time is up after 1 question, 0 of them answered. Do not send ' +
        'it again; ask later with this wait state, or when a callback comes. The last one: Status of order o-1 could not be ' +
        'read; nothing is concluded from that. The connection broke.',
    )
  })

  it('names the cure where replies name no stage', () => {
    const { transactionType: _, ...reply } = statusReply({ status: 'approved' })
    const observation = { reply, askedAt: 2_000 }
    const last = settle({ order: opened.order, expected, observation })
    const { explanation } = stillUnknown(opened, { reason: 'time-is-up', last })
    expect(explanation).toContain('neither "transactionType" nor "orderStage"')
    expect(explanation).toContain('"replyFields" with defineProfile')
  })

  it('names no cure where the reply speaks of another stage', () => {
    const observation = { reply: statusReply({ status: 'approved', transactionType: 'preauth' }), askedAt: 2_000 }
    const last = settle({ order: opened.order, expected, observation })
    expect(stillUnknown(opened, { reason: 'time-is-up', last }).explanation).not.toContain('replyFields')
  })

  it('rests on status where status answered', () => {
    const { wait } = take({})
    expect(stillUnknown(wait, { reason: 'aborted', last: undefined })).toMatchObject({
      reason: 'aborted',
      evidence: 'status-reply',
    })
  })
})

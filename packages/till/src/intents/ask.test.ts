import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { sceneOf } from '../../test/engine/scene.js'
import type { Answer } from '../rules/answer.js'
import type { KnownAttempt, KnownOrder } from '../state/known.js'
import { ask } from './ask.js'

const request = {
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  fingerprint: 'f',
  reservedAt: 0,
  sendBy: 1,
}
const sale: KnownAttempt = {
  ...request,
  reservation: 'run/1',
  attemptId: 'basket-7',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  endpointGroupId: '40',
  end: { kind: 'accepted', orderId: '77', serialNumber: 's-1', at: 1 },
}
const part: KnownAttempt = {
  ...request,
  reservation: 'run/2',
  attemptId: 'return:1:cup',
  operation: 'return',
  effect: 'changes',
  stages: ['cancel', 'reversal'],
  end: { kind: 'accepted', serialNumber: 's-2', at: 1 },
}
const approved = { stage: 'sale', status: 'approved', outcome: 'approved', askedAt: 0, corrections: [] } as const
const order: KnownOrder = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77', attempts: [sale], stages: [] }

const said = (fields: Partial<StatusResponse> = {}): Pick<Extract<Answer, { kind: 'reply' }>, 'kind' | 'reply'> => ({
  kind: 'reply',
  reply: {
    status: 'processing',
    transactionType: 'sale',
    clientOrderId: 'basket-7',
    orderId: '77',
    raw: {},
    ...fields,
  },
})

type Said = ReturnType<typeof said> | { readonly kind: 'refused' | 'no-answer' }

/** Lets it ask until it ends. @returns The serial numbers that it asked about, and its end. */
function asking(about: KnownOrder, ...replies: readonly Said[]) {
  const next = ask({ order: about, profile: defaultProfile })
  const answers: Answer[] = []
  for (;;) {
    const step = next(sceneOf(undefined, { answers }))
    const asked = answers.map(({ question }) => question.bySerialNumber)
    if (step.kind === 'end') return { asked, result: step.result }
    if (step.kind !== 'ask') throw new Error(step.kind)
    answers.push({ ...(replies[answers.length] ?? said()), question: step.question, askedAt: 0, answeredAt: 0 })
  }
}

describe('ask', () => {
  it('asks about an order at the endpoint that it was sent to', () => {
    const step = ask({ order, profile: defaultProfile })(sceneOf(undefined))
    expect(step).toEqual({
      kind: 'ask',
      question: { login: 'merchant', clientOrderId: 'basket-7', orderId: '77', endpointGroupId: '40' },
    })
  })

  it('asks once about each change that is open, and about the latest request', () => {
    expect(asking(order).asked).toEqual([undefined])
    expect(asking({ ...order, attempts: [sale, part] }).asked).toEqual(['s-2', undefined])
  })

  it('asks about a change of which nobody knows how it ended, though status has shown what it did', () => {
    const returned = { ...approved, stage: 'cancel', serialNumber: 's-2' } as const
    const unknown: KnownAttempt = { ...part, end: { kind: 'unknown', serialNumber: 's-2', at: 1 } }
    expect(asking({ ...order, attempts: [sale, unknown], stages: [approved, returned] }).asked).toEqual([
      's-2',
      undefined,
    ])
  })

  it('asks about a change once more of which status says something else than before', () => {
    const returned = { ...approved, stage: 'cancel', serialNumber: 's-2' } as const
    const about: KnownOrder = { ...order, attempts: [sale, part], stages: [approved, returned] }
    expect(asking(about, said({ transactionType: 'cancel', status: 'declined' })).asked).toEqual([undefined, 's-2'])
  })

  it('goes on after a serial number that status does not know, and stops where it does not answer', () => {
    const about = { ...order, attempts: [sale, part] }
    expect(asking(about, { kind: 'refused' })).toEqual({ asked: ['s-2', undefined], result: 'not-known' })
    expect(asking(about, { kind: 'no-answer' })).toEqual({ asked: ['s-2'], result: 'no-answer' })
    expect(asking(order, { kind: 'refused' })).toEqual({ asked: [undefined], result: 'not-known' })
  })

  it.each<readonly [AskedAs: string, about: KnownOrder, reply: Said]>([
    ['answered', order, said()],
    ['begun', order, said({ lastFourDigits: '4448' })],
    ['brings-money', order, said({ status: 'approved' })],
    ['answered', { ...order, stages: [approved] }, said({ status: 'approved' })],
    ['no-answer', { ...order, stages: [{ ...approved, outcome: 'declined' }] }, said()],
    ['brings-money', { ...order, stages: [{ ...approved, outcome: 'declined' }] }, said({ status: 'approved' })],
  ])('comes to %s', (result, about, reply) => {
    expect(asking(about, reply).result).toBe(result)
  })

  it('asks nothing about an order without an id of the merchant’s', () => {
    const { clientOrderId: _none, ...about } = order
    expect(asking(about)).toEqual({ asked: [], result: 'no-answer' })
  })
})

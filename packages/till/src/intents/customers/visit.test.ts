import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownSale, knownOrder as order, secondOrder as other } from '../../../test/engine/known-sale.js'
import { type Said, says } from '../../../test/engine/live-intent.js'
import { payment } from '../../../test/state/payment-samples.js'
import { createAdvance } from '../../engine/advance.js'
import { type Effect, type Event, newRun } from '../../engine/run.js'
import type { PaymentDocument } from '../../state/document.js'
import { shownBy, type VisitPlan, type VisitResult, visit } from './visit.js'

const plan: VisitPlan = {
  about: { clientOrderId: 'basket-7', login: 'merchant' },
  profile: defaultProfile,
  lease: 30_000,
  attempts: 5,
  interval: 1_000,
}
const processing = says('processing')

/** Lives a visit against answers in their order, of which the last is said again, and a handler that is content. */
function lived(plan: VisitPlan, known: PaymentDocument | undefined, ...answers: readonly Said[]) {
  const advance = createAdvance(visit(plan), () => defaultProfile)
  const asked: string[] = []
  const kinds: string[] = []
  let run = newRun<VisitResult>('run', 30_000)
  let event: Event = { kind: 'began' }
  let last = known
  for (;;) {
    const at = 100_000 + asked.length
    const { run: after, effect } = advance(run, event, { earliest: at, latest: at + 5, passed: 0 })
    run = after
    kinds.push(effect.kind === 'sleep' ? `sleep ${effect.milliseconds}` : effect.kind)
    if (effect.kind === 'end') {
      if (effect.result.kind === 'failed') throw effect.result.cause
      return { kinds, asked, last, result: effect.result.result, shown: shownBy(plan, run.heard) }
    }
    if (effect.kind === 'write') last = effect.document
    if (effect.kind === 'ask') asked.push(`${effect.question.clientOrderId} ${effect.question.orderId ?? ''}`.trim())
    event = heardOf(effect, last, answers[asked.length - 1] ?? answers.at(-1) ?? { kind: 'no-answer' }, at)
  }
}

function heardOf(effect: Effect<unknown>, document: PaymentDocument | undefined, said: Said, at: number): Event {
  switch (effect.kind) {
    case 'read': {
      if (document === undefined) return { kind: 'read', known: { document: undefined, writeId: undefined } }
      return { kind: 'read', known: { document, writeId: 'w' } }
    }
    case 'write':
      return { kind: 'written' }
    case 'ask':
      return { kind: 'asked', answer: { ...said, question: effect.question, askedAt: at, answeredAt: at } }
    case 'handle':
      return { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } }
    case 'sleep':
      return { kind: 'slept' }
    default:
      throw new Error(effect.kind)
  }
}

describe('visit', () => {
  it('shows what status says, and writes it down together with the lease', () => {
    const { kinds, asked, last, result, shown } = lived(plan, payment(order), says('approved'))
    expect(kinds).toEqual(['read', 'ask', 'write', 'handle', 'write', 'end'])
    expect(asked).toEqual(['basket-7 77'])
    expect(last?.orders[0]?.stages).toMatchObject([{ stage: 'sale', outcome: 'approved', told: 1 }])
    expect(result).toMatchObject({ kind: 'asked', delivered: { kind: 'told' } })
    expect(shown).toMatchObject({
      order: { clientOrderId: 'basket-7', orderId: '77', stages: [] },
      settlement: {
        kind: 'approved',
        moneyMoved: 'captured',
        order: { stages: [{ outcome: 'approved' }] },
        observation: { askedAt: 100_000 },
      },
    })
  })

  it('asks by the ids of the order, at the endpoint that it was sent to', () => {
    const at = { earliest: 0, latest: 0 }
    const heard = {
      passed: 0,
      answers: [],
      isFresh: true,
      deliveries: [],
      waited: 0,
      isHandling: false,
      marks: {},
      first: payment(order),
    }
    expect(visit(plan)({ payment: payment(order), kept: payment(order), heard, at, gate: 'run/1' })).toEqual({
      kind: 'ask',
      question: { login: 'merchant', clientOrderId: 'basket-7', orderId: '77', endpointId: '39' },
    })
  })

  it('asks again until status settles it, with longer and longer pauses, and reads the payment after each', () => {
    const { kinds, shown } = lived(plan, payment(order), processing, processing, processing, says('declined'))
    expect(kinds).toEqual(
      [
        ['read', 'ask', 'write', 'sleep 250'],
        ['read', 'ask', 'sleep 500'],
        ['read', 'ask', 'sleep 1000'],
        ['read', 'ask', 'write', 'handle', 'write', 'end'],
      ].flat(),
    )
    expect(shown?.settlement.kind).toBe('declined')
  })

  it('ends where it was asked often enough, and pauses no more', () => {
    const { kinds, asked, shown } = lived({ ...plan, attempts: 2 }, payment(order), processing)
    expect([asked.length, kinds.filter(kind => kind.startsWith('sleep'))]).toEqual([2, ['sleep 250']])
    expect(shown?.settlement.kind).toBe('not-final')
    expect(lived({ ...plan, attempts: 1 }, payment(order), processing).asked).toHaveLength(1)
  })

  it('ends where the visit stops for what status says, and where a person must look', () => {
    const until: VisitPlan['until'] = ({ kind }) => kind === 'not-final'
    expect(lived({ ...plan, until }, payment(order), processing).asked).toHaveLength(1)
    const differs = lived(plan, payment(order), says('approved', { amount: '1.00' }))
    expect([differs.asked.length, differs.shown?.settlement.kind]).toEqual([1, 'amount-differs'])
  })

  it('goes on after a question that was not answered, and says so where none was', () => {
    const mended = lived(plan, payment(order), { kind: 'no-answer' }, { kind: 'refused' }, says('approved'))
    expect([mended.asked.length, mended.shown?.settlement.kind]).toEqual([3, 'approved'])
    const never = lived(plan, payment(order), { kind: 'no-answer' })
    expect([never.asked.length, never.shown?.settlement.kind]).toEqual([5, 'no-answer'])
    expect(never.kinds).not.toContain('write')
  })

  it('asks by the gateway’s id once status has said it', () => {
    const { orderId: _none, ...unnamed } = order
    const attempts = [{ ...knownSale, end: { kind: 'unknown', at: 1 } as const }]
    expect(lived(plan, payment({ ...unnamed, attempts }), processing, says('approved')).asked).toEqual([
      'basket-7',
      'basket-7 77',
    ])
    const other = lived(
      { ...plan, attempts: 2 },
      payment({ ...unnamed, attempts }),
      processing,
      says('approved', { orderId: '78' }),
    )
    expect(other.shown?.settlement.kind).toBe('other-order')
  })

  it('concludes nothing from an answer about another order', () => {
    const { last, shown } = lived(
      { ...plan, attempts: 1 },
      payment(order),
      says('approved', { clientOrderId: 'basket-8' }),
    )
    expect([last?.orders[0]?.stages, shown?.settlement.kind]).toEqual([[], 'other-order'])
  })

  it('asks about the other orders of the payment where this one was approved, whatever they answer', () => {
    const approved = lived(plan, payment(other, order), says('approved'), { kind: 'refused' })
    expect(approved.asked).toEqual(['basket-7 77', 'basket-7.2r 78'])
    expect(approved.shown?.settlement.kind).toBe('approved')
    expect(lived(plan, payment(other, order), says('declined')).asked).toEqual(['basket-7 77'])
    // Its own account does not know the orders of another one.
    expect(lived(plan, payment({ ...other, login: 'merchant-2' }, order), says('approved')).asked).toHaveLength(1)
  })

  it('asks about an order that is approved already as well: the gateway may have taken its word back', () => {
    const stage = { stage: 'sale', status: 'approved', outcome: 'approved', askedAt: 1, corrections: [] } as const
    const approved = { ...stage, amount: '10.00', currency: 'EUR' }
    const known = payment({ ...order, stages: [{ ...approved, told: 1 }] })
    expect(lived(plan, known, says('approved')).kinds).toEqual(['read', 'ask', 'end'])
    expect(lived(plan, known, says('declined')).shown?.settlement.kind).toBe('corrected')
    const untold = lived(plan, payment({ ...order, stages: [approved] }), { kind: 'no-answer' })
    expect(untold.result).toMatchObject({ delivered: { kind: 'told' } })
  })

  it('counts its own pauses as no waiting for somebody else who delivers', () => {
    const slow = { ...plan, attempts: 40 }
    const answers = [...Array.from({ length: 39 }, () => processing), says('approved')]
    expect(lived(slow, payment(order), ...answers).result).toMatchObject({ delivered: { kind: 'told' } })
  })

  it('asks nothing about an order that is not kept, is purged, or that no request can have made', () => {
    const without = lived(plan, undefined)
    expect([without.kinds, without.result, without.shown]).toEqual([['read', 'end'], { kind: 'no-order' }, undefined])
    const purged = { ...payment(order), over: { at: 1 } } as unknown as PaymentDocument
    expect(lived(plan, purged).result.kind).toBe('no-order')
    const notSent = lived(plan, payment({ ...order, attempts: [{ ...knownSale, end: { kind: 'not-sent', at: 1 } }] }))
    expect([notSent.kinds, notSent.result, notSent.shown]).toEqual([
      ['read', 'end'],
      { kind: 'not-awaited' },
      undefined,
    ])
  })
})

import { defaultProfile } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../../protocol/test/soak.js'
import { order, payment, sale, stage } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import { type KnownStage, wordsOf } from '../../state/known.js'
import { callbackCame, statusSeen } from '../orders/happened.js'
import {
  claimDelivery,
  claimedOutcome,
  overstayedDelivery,
  postponeDelivery,
  toldOutcome,
  type UntoldOutcome,
} from './delivery.js'

const declined = stage({ status: 'declined', outcome: 'declined' })
const approved = stage({ status: 'approved', outcome: 'approved' })
const correction = { from: 'declined', to: 'approved', askedAt: 7_000 }

/** Claims an outcome, and shows which. */
const claim = (document: PaymentDocument, token: string, at: number) => {
  const claimed = claimDelivery(document, { token, at, lease: 30_000 })
  if (claimed.kind !== 'claimed') return claimed
  return { ...claimed, untold: claimedOutcome(claimed.document, token) as UntoldOutcome }
}

const about = { clientOrderId: 'basket-7', login: 'merchant' }

/** Claims and tells, one after the other, until nothing is left to be told. */
function tellAll(document: PaymentDocument): readonly string[] {
  const claimed = claim(document, 'token', 0)
  if (claimed.kind !== 'claimed') return []
  const next = toldOutcome(claimed.document, 'token')
  const { untold } = claimed
  const said = `${untold.order.clientOrderId} ${untold.stage.stage} ${claimed.document.telling?.words}`
  return next === undefined ? [said, 'not told'] : [said, ...tellAll(next)]
}

describe('claimDelivery', () => {
  it('gives each stage once with all its words, in the order in which they became known, and then none', () => {
    const document = payment(
      order({ stages: [{ ...declined, corrections: [correction] }, stage({ stage: 'reversal' })] }),
      order({ clientOrderId: 'basket-7.2r', stages: [approved] }),
    )
    expect(tellAll(document)).toEqual(['basket-7 sale 2', 'basket-7.2r sale 1'])
  })

  it('gives a stage again once it has another word, under another key', () => {
    const first = claim(payment(order({ stages: [declined] })), 'a', 0)
    const again = claim(payment(order({ stages: [{ ...declined, told: 1, corrections: [correction] }] })), 'b', 0)
    const keys = [first, again].map(each => (each.kind === 'claimed' ? each.untold.key : each.kind))
    expect(keys).toEqual(['merchant/basket-7/sale/1/1', 'merchant/basket-7/sale/1/2'])
  })

  it('gives equal stages keys of their own', () => {
    const reversal = stage({ stage: 'reversal', status: 'approved', outcome: 'approved', amount: '3.00' })
    const first = claim(payment(order({ stages: [reversal, reversal] })), 'a', 0)
    const second = claim(payment(order({ stages: [{ ...reversal, told: 1 }, reversal] })), 'a', 0)
    const keys = [first, second].map(each => (each.kind === 'claimed' ? each.untold.key : each.kind))
    expect(keys).toEqual(['merchant/basket-7/reversal/1/1', 'merchant/basket-7/reversal/2/1'])
  })

  it('gives nothing of a payment of which only the ids are kept', () => {
    expect(claim({ ...payment(order({ stages: [approved] })), over: 1 }, 'a', 0)).toEqual({ kind: 'nothing' })
  })

  it.each<[string, KnownStage[]]>([
    ['is known', []],
    ['is over', [stage()]],
    ['was not told', [{ ...approved, told: 1 }]],
  ])('claims nothing where no stage %s', (_, stages) => {
    expect(claim(payment(order({ attempts: [sale], stages })), 'mine', 0)).toEqual({ kind: 'nothing' })
  })

  it('tells one outcome at a time: a second claim waits until the first is told or over', () => {
    const first = claim(payment(order({ stages: [approved] })), 'first', 1_000)
    if (first.kind !== 'claimed') throw new Error(first.kind)
    expect(first.document.telling).toEqual({ token: 'first', order: 0, stage: 0, words: 1, until: 31_000, at: 1_000 })
    expect(claim(first.document, 'second', 30_999)).toEqual({ kind: 'busy', until: 31_000 })
    expect(claim(first.document, 'second', 31_000)).toMatchObject({ kind: 'claimed' })
  })

  it('gives what was begun first, whatever became known since: somebody may have heard it', () => {
    const second = order({ clientOrderId: 'basket-7.2r', stages: [approved] })
    const first = claim(payment(order({ stages: [{ ...declined, told: 1 }] }), second), 'died', 1_000)
    if (first.kind !== 'claimed') throw new Error(first.kind)
    const corrected = order({ stages: [{ ...declined, told: 1, corrections: [correction] }] })
    const later = { ...first.document, orders: [corrected, second] }
    expect(claim(later, 'next', 40_000)).toMatchObject({
      kind: 'claimed',
      untold: { order: { clientOrderId: 'basket-7.2r' } },
    })
    const told = { ...later, orders: [corrected, { ...second, stages: [{ ...approved, told: 1 }] }] }
    expect(claim(told, 'next', 40_000)).toMatchObject({ untold: { order: { clientOrderId: 'basket-7' } } })
  })

  it('knows its own claim again, and keeps what it is about', () => {
    const two = payment(
      order({ stages: [approved, stage({ stage: 'reversal', status: 'approved', outcome: 'approved' })] }),
    )
    const first = claim(two, 'mine', 1_000)
    if (first.kind !== 'claimed') throw new Error(first.kind)
    expect(claim(first.document, 'mine', 2_000)).toMatchObject({
      kind: 'claimed',
      untold: { stage: { stage: 'sale' } },
      document: { telling: { token: 'mine', order: 0, stage: 0, words: 1, until: 32_000 } },
    })
  })
})

describe('toldOutcome', () => {
  const claimed = () => {
    const decision = claim(payment(order({ stages: [approved] })), 'first', 1_000)
    if (decision.kind !== 'claimed') throw new Error(decision.kind)
    return decision.document
  }

  it('goes by its token, whatever callbacks and polls wrote meanwhile', () => {
    const called = callbackCame(claimed(), about, 9_000)
    const reply = { status: 'declined', transactionType: 'sale', clientOrderId: 'basket-7', orderId: '77', raw: {} }
    const seen = statusSeen(called, about, { observation: { reply, askedAt: 9_000 }, profile: defaultProfile })
    const told = toldOutcome(seen, 'first')
    expect(told).not.toHaveProperty('telling')
    expect(told?.orders[0]).toMatchObject({
      callbackAt: 9_000,
      stages: [{ told: 1, toldAt: 1_000, corrections: [{ to: 'declined' }] }],
    })
    // The correction came after the handler was told the first word.
    expect(tellAll(told as PaymentDocument)).toEqual(['basket-7 sale 2'])
  })

  it('decides nothing once another claim has begun, or has told it', () => {
    const later = claim(claimed(), 'second', 40_000)
    if (later.kind !== 'claimed') throw new Error(later.kind)
    expect(toldOutcome(later.document, 'first')).toBeUndefined()
    const told = toldOutcome(later.document, 'second')
    expect(toldOutcome(told, 'first')).toBeUndefined()
    expect(toldOutcome(told, 'second')).toBeUndefined()
    expect(told?.orders[0]?.stages[0]?.told).toBe(1)
  })

  it('says the words that the claim was for, even where it was claimed again after another word came', () => {
    const later = {
      ...payment(order({ stages: [{ ...approved, corrections: [correction] }] })),
      telling: claimed().telling,
    }
    const again = claim(later as PaymentDocument, 'first', 2_000)
    if (again.kind !== 'claimed') throw new Error(again.kind)
    expect(toldOutcome(again.document, 'first')?.orders[0]?.stages[0]?.told).toBe(2)
  })

  it('decides nothing about a document that is not there', () => {
    expect(toldOutcome(undefined, 'first')).toBeUndefined()
    expect(postponeDelivery(undefined, 'first', 9)).toBeUndefined()
  })
})

describe('postponeDelivery', () => {
  it('gives the claim back: nobody tells it before its time, and then anybody may', () => {
    const first = claim(payment(order({ stages: [approved] })), 'first', 1_000)
    if (first.kind !== 'claimed') throw new Error(first.kind)
    expect(postponeDelivery(first.document, 'second', 90_000)).toBeUndefined()
    const postponed = postponeDelivery(first.document, 'first', 90_000) as PaymentDocument
    expect(claim(postponed, 'first', 89_999)).toEqual({ kind: 'busy', until: 90_000 })
    expect(toldOutcome(postponed, 'first')).toBeUndefined()
    expect(claim(postponed, 'second', 90_000)).toMatchObject({
      kind: 'claimed',
      untold: { stage: { status: 'approved' } },
    })
  })
})

describe('however claims, replies and leases follow one another', () => {
  type Step =
    | readonly ['see', string, string]
    | readonly ['claim' | 'tell' | 'postpone', number]
    | readonly ['wait', number]
  const token = fc.integer({ min: 0, max: 1 })
  const step = fc.oneof<fc.Arbitrary<Step>[]>(
    fc.tuple(
      fc.constant('see' as const),
      fc.constantFrom('approved', 'declined', 'processing'),
      fc.constantFrom('sale', 'reversal', 'chargeback'),
    ),
    fc.tuple(fc.constantFrom('claim' as const, 'tell' as const, 'postpone' as const), token),
    fc.tuple(fc.constant('wait' as const), fc.integer({ min: 1, max: 40_000 })),
  )

  it('every word of every stage is told, each once, and in its order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), steps => {
        let document = payment(order({ orderId: '77', attempts: [sale] }))
        let at = 10_000
        const heard = new Map<number, number>()
        const tell = (name: string): void => {
          const { telling } = document
          const told = toldOutcome(document, name)
          if (told === undefined || telling === undefined) return
          expect(telling.words).toBeGreaterThan(heard.get(telling.stage) ?? 0)
          heard.set(telling.stage, telling.words)
          document = told
        }
        const claimNext = (name: string): boolean => {
          const before = document.telling
          const claimed = claim(document, name, at)
          if (claimed.kind !== 'claimed') return false
          // A claim that another one still has is nobody's.
          expect(before === undefined || before.token === name || before.until <= at).toBe(true)
          document = claimed.document
          return true
        }
        for (const [kind, value, transactionType] of steps) {
          at += 1
          if (kind === 'see') {
            const reply = { status: value, transactionType, clientOrderId: 'basket-7', orderId: '77', raw: {} }
            document = statusSeen(document, about, { observation: { reply, askedAt: at }, profile: defaultProfile })
          } else if (kind === 'wait') at += value
          else if (kind === 'claim') claimNext(`t${value}`)
          else if (kind === 'tell') tell(`t${value}`)
          else document = postponeDelivery(document, `t${value}`, at + 5_000) ?? document
        }
        at += 100_000
        while (claimNext('last')) tell('last')
        const stages = document.orders[0]?.stages ?? []
        expect(stages.map((_, place) => heard.get(place) ?? 0)).toEqual(stages.map(wordsOf))
      }),
      cases({ daily: 100, soak: 3_000 }),
    )
  })
})

describe('a telling that fails', () => {
  const document = payment(order({ stages: [approved] }))

  const claimAt = (from: PaymentDocument, token: string, at: number): PaymentDocument => {
    const decision = claim(from, token, at)
    if (decision.kind !== 'claimed') throw new Error(decision.kind)
    return decision.document
  }

  it('has since when, how often, and what was thrown last, until it succeeds', () => {
    const error = new TypeError('x is no function')
    const first = postponeDelivery(claimAt(document, 'a', 1_000), 'a', 2_000, { at: 2_000, error })
    expect(first?.telling?.failed).toEqual({ since: 2_000, tries: 1, error: 'TypeError: x is no function' })
    const again = claimAt(first as PaymentDocument, 'b', 3_000)
    const second = postponeDelivery(again, 'b', 4_000, { at: 4_000, error: new Error('locked') })
    expect(second?.telling?.failed).toEqual({ since: 2_000, tries: 2, error: 'Error: locked' })
    expect(toldOutcome(claimAt(second as PaymentDocument, 'c', 5_000), 'c')?.telling).toBeUndefined()
  })

  it('counts one that outstayed its lease, once', () => {
    const late = claimAt(claimAt(document, 'a', 1_000), 'b', 31_000)
    expect(late.telling?.failed).toMatchObject({ since: 31_000, tries: 1 })
    expect(claimAt(late, 'b', 31_500).telling?.failed).toMatchObject({ since: 31_000, tries: 1 })
  })

  it('counts one that was noticed to outstay its lease no second time: noticed again, failing then, or claimed by another', () => {
    const noticed = overstayedDelivery(claimAt(document, 'a', 1_000), 'a') as PaymentDocument
    expect(noticed.telling?.failed).toMatchObject({ since: 31_000, tries: 1 })
    expect(overstayedDelivery(noticed, 'a')).toBe(noticed)
    expect(overstayedDelivery(noticed, 'b')).toBeUndefined()
    const thrown = { at: 40_000, error: new Error('locked') }
    expect(postponeDelivery(noticed, 'a', 40_000, thrown)?.telling?.failed?.tries).toBe(1)
    const taken = claimAt(noticed, 'b', 31_000)
    expect(taken.telling?.failed?.tries).toBe(1)
    expect(claimAt(taken, 'c', 61_000).telling?.failed?.tries).toBe(2)
    expect(toldOutcome(noticed, 'a')?.telling).toBeUndefined()
  })

  it('counts nothing where it was given back for no failure', () => {
    const given = postponeDelivery(claimAt(document, 'a', 1_000), 'a', 2_000) as PaymentDocument
    expect(claimAt(given, 'b', 3_000).telling?.failed).toBeUndefined()
  })
})

import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import { type KnownAttempt, type KnownOrder, quietFrom } from '../../state/known.js'
import { claimDelivery, toldOutcome } from '../delivery/delivery.js'
import { entryOf } from '../kept/entry.js'
import { paymentOf } from '../pay/payment.js'
import { decideMatter } from './decide.js'
import { questionsOf } from './questions.js'
import type { DecisionFacts, DecisionVerdict, StatusWord, WantedDecision } from './wanted.js'

const day = 86_400_000
const at = 200_000
const ada = { who: 'ada', why: 'ticket 4711' }
const bob = { who: 'bob', why: 'ticket 4712' }

const unanswered: KnownAttempt = { ...sale, end: { kind: 'unknown', connection: 'closed', at: 40_000 } }
const accepted: KnownAttempt = { ...sale, end: { kind: 'accepted', orderId: '77', at: 2_000 } }
const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })

const facts = (more: Partial<DecisionFacts> = {}): DecisionFacts => ({
  at,
  profile: defaultProfile,
  person: ada,
  ...more,
})
const says = (kind: StatusWord['kind'], more: Partial<StatusWord> = {}): StatusWord => ({
  kind,
  explanation: '',
  ...more,
})
const failed: WantedDecision = { kind: 'failed' }

const because = (verdict: DecisionVerdict) => (verdict.kind === 'refused' ? verdict.because : verdict.kind)

/** The document after a decision. */
function done(document: PaymentDocument, wanted: WantedDecision, more: Partial<DecisionFacts> = {}): PaymentDocument {
  const verdict = decideMatter(document, wanted, facts(more))
  if (verdict.kind !== 'done') throw new Error(JSON.stringify(verdict))
  return verdict.document
}

describe('a request that was not answered', () => {
  const unknown = payment(order({ attempts: [unanswered] }))

  it.each([
    ['status was not asked', unknown, undefined, 'no-answer'],
    ['status did not answer', unknown, says('no-answer'), 'no-answer'],
    ['status knows something of it', unknown, says('shown'), 'status-differs'],
    [
      'the gateway has called back',
      payment(order({ attempts: [unanswered], callbackAt: 90_000 })),
      says('not-shown'),
      'status-differs',
    ],
    [
      'the gateway has given it an id',
      payment(order({ attempts: [unanswered], orderId: '77' })),
      says('not-shown'),
      'status-differs',
    ],
    [
      'its answer may still come',
      payment(order({ attempts: [{ ...sale, sendBy: at }] })),
      says('not-shown'),
      'under-way',
    ],
    ['it was answered meanwhile', payment(order({ attempts: [accepted] })), says('not-shown'), 'nothing-to-decide'],
    ['status does not know it', unknown, says('not-shown'), 'done'],
  ])('did nothing, as a person says, where %s: %#', (_, document, status, expected) => {
    expect(because(decideMatter(document, failed, facts({ status })))).toBe(expected)
  })

  it.each([
    ['ended', unknown, 40_000],
    ['could not be under way any more', payment(order({ attempts: [sale] })), quietFrom(sale)],
  ])('did nothing only where the person spoke once it %s', (_, document, since) => {
    const shown = { status: says('not-shown') }
    const spoke = (spokenAt: number) => because(decideMatter(document, failed, facts({ ...shown, spokenAt })))
    expect([spoke(since - 1), spoke(since)]).toEqual(['under-way', 'done'])
  })

  it('is believed to be there only where status says so under the very id', () => {
    const arrived: WantedDecision = { kind: 'arrived', orderId: '77' }
    for (const kind of ['not-shown', 'shown'] as const)
      expect(because(decideMatter(unknown, arrived, facts({ status: says(kind) })))).toBe('status-differs')
    const [known] = done(unknown, arrived, { status: says('confirmed') }).orders
    expect(known).toMatchObject({
      orderId: '77',
      attempts: [{ end: { kind: 'accepted', basis: 'person', note: 'ada: ticket 4711' } }],
    })
  })

  it('is looked at again after it was given up, however late that was', () => {
    const late = 40 * day
    const document = done(unknown, failed, { at: late, status: says('not-shown') })
    const { due } = entryOf(document)
    expect(due).toBeGreaterThan(late)
    expect(due).toBeLessThan(late + day)
  })
})

describe('a surplus', () => {
  const second: KnownAttempt = { ...accepted, clientOrderId: 'basket-7.2r', reservation: 'r-9' }
  const two = (more: Partial<KnownOrder> = {}): PaymentDocument =>
    payment(
      order({ orderId: '77', attempts: [accepted], stages: [approved], ...more }),
      order({ clientOrderId: 'basket-7.2r', orderId: '78', attempts: [second], stages: [approved] }),
    )
  const give = (clientOrderId: string): WantedDecision => ({ kind: 'give-back', order: clientOrderId })

  it('goes back once: never the other order as well', () => {
    const document = done(two(), give('basket-7'))
    expect(document.wishes).toMatchObject([{ name: 'return', clientOrderId: 'basket-7' }])
    expect(because(decideMatter(document, give('basket-7.2r'), facts()))).toBe('nothing-to-decide')
    expect(decideMatter(document, give('basket-7'), facts({ person: bob }))).toMatchObject({
      kind: 'done',
      again: true,
    })
  })

  it('does not go back while a return of the other order was sent and is not known to have failed', () => {
    const { amount: _amount, ...whole } = part
    const document = two({ attempts: [accepted, { ...whole, end: { kind: 'unknown', at: 50_000 } }] })
    expect(because(decideMatter(document, give('basket-7.2r'), facts()))).toBe('nothing-to-decide')
  })
})

describe('what the gateway contradicted itself about', () => {
  const over = (amount: string) =>
    payment(order({ orderId: '77', attempts: [accepted], stages: [{ ...approved, amount }] }))
  const settled = (amount?: string): WantedDecision => ({ kind: 'settled', outcome: 'approved', amount })

  it('is settled with the amount, where that is not the one asked for', () => {
    const document = over('9.00')
    expect(paymentOf(document, { reference: 'basket-7', at, profile: defaultProfile }).state).toBe('disputed')
    const status = says('shown', { outcome: 'approved', amount: '9.00' })
    for (const amount of [undefined, '10.00'])
      expect(because(decideMatter(document, settled(amount), facts({ status })))).toBe('status-differs')
    const after = done(document, settled('9.00'), { status })
    expect(paymentOf(after, { reference: 'basket-7', at, profile: defaultProfile })).toMatchObject({
      state: 'paid',
      totals: { captured: '9.00' },
    })
  })

  it('is the later of two that are equal and have no number, and then the other one', () => {
    const corrections = [{ from: 'approved', to: 'declined', askedAt: 9_000 }]
    const of = (...amounts: readonly string[]) => {
      const disputed = amounts.map(amount => ({ ...approved, stage: 'reversal' as const, amount, corrections }))
      return payment(order({ orderId: '77', attempts: [accepted], stages: [approved, ...disputed] }))
    }
    const status = says('shown')
    const later = done(of('3.00', '3.00'), { kind: 'settled', outcome: 'declined' }, { status })
    expect(later.orders[0]?.stages.map(each => each.outcome)).toEqual(['approved', 'approved', 'declined'])
    const both = done(later, settled(), { status })
    expect(both.orders[0]?.stages.slice(1).map(each => [each.outcome, each.corrections])).toEqual([
      ['approved', []],
      ['declined', []],
      // The word that was about another one.
      ['declined', []],
    ])
    const unequal = of('3.00', '2.00')
    expect(because(decideMatter(unequal, settled(), facts({ status })))).toBe('which')
    expect(done(unequal, settled('2.00'), { status }).orders[0]?.stages[2]?.corrections).toEqual([])
  })

  it('is not settled where status says another amount now, or another outcome', () => {
    const document = over('9.00')
    for (const said of [{ amount: '8.00' }, { outcome: 'declined' as const }])
      expect(because(decideMatter(document, settled('9.00'), facts({ status: says('shown', said) })))).toBe(
        'status-differs',
      )
  })

  it('is not told again by a handler that was still running', () => {
    const corrections = [
      { from: 'approved', to: 'declined', askedAt: 6_000 },
      { from: 'declined', to: 'approved', askedAt: 7_000 },
    ]
    const disputed = { ...approved, corrections, approvalTold: true as const }
    const known = payment(order({ orderId: '77', attempts: [accepted], stages: [disputed] }))
    const claim = claimDelivery(known, { token: 't', at, lease: 30_000 })
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    const after = done(claim.document, settled(), { status: says('shown', { outcome: 'approved' }) })
    const told = toldOutcome(after, 't') ?? after
    expect(claimDelivery(told, { token: 'u', at: at + day, lease: 1 }).kind).toBe('nothing')
  })
})

describe('two persons', () => {
  const unknown = payment(order({ attempts: [unanswered] }))
  const status = says('not-shown')

  it('are not needed for what moves no money', () => {
    const { amount: _amount, currency: _currency, ...free } = unanswered
    const check = payment(
      order({ attempts: [{ ...free, operation: 'accountVerificationForm', stages: ['verification'] }] }),
    )
    expect(because(decideMatter(check, failed, facts({ status, secondPersonAbove: {} })))).toBe('done')
  })

  it('keep twenty proposals that were replaced, and every decision', () => {
    let document = unknown
    for (let nth = 0; nth < 30; nth += 1) {
      const wanted: WantedDecision = { kind: 'arrived', orderId: String(nth) }
      const verdict = decideMatter(document, wanted, facts({ status: says('confirmed'), secondPersonAbove: {} }))
      if (verdict.kind !== 'needs-second-person') throw new Error(verdict.kind)
      document = verdict.document
    }
    const proposals = document.decisions?.map(({ proposal }) => proposal) ?? []
    expect(proposals).toEqual([...Array.from({ length: 20 }, () => 'replaced'), 'open'])
    const last = done(document, failed, { status, person: bob })
    expect(last.decisions?.at(-1)).toMatchObject({ who: 'bob', matter: { kind: 'failed' } })
    expect(last.decisions?.some(({ proposal }) => proposal === 'open')).toBe(false)
  })
})

describe('an order that waits for a customer, and is given up', () => {
  const { formLifetime } = defaultProfile
  const end = 2_000 + formLifetime.value * 1_000
  const abandon: WantedDecision = { kind: 'abandon' }
  const decided = (attempt: Partial<KnownAttempt>, at: number, kind: StatusWord['kind']) =>
    because(
      decideMatter(
        payment(order({ attempts: [{ ...accepted, ...attempt }] })),
        abandon,
        facts({ at, status: says(kind) }),
      ),
    )

  it.each<[string, Partial<KnownAttempt>, StatusWord['kind'], readonly string[]]>([
    ['a form that nobody has begun on: at once', { operation: 'saleForm' }, 'not-shown', ['done', 'done']],
    ['a form with a card on it: once its time is over', { operation: 'saleForm' }, 'shown', ['status-differs', 'done']],
    ['a card: once its time is over, whatever status shows', {}, 'not-shown', ['status-differs', 'done']],
    ['a stored card: never', { operation: 'makeRebill' }, 'not-shown', ['nothing-to-decide', 'nothing-to-decide']],
    [
      'a payout: never',
      { operation: 'payoutV4', stages: ['payout'] },
      'not-shown',
      ['nothing-to-decide', 'nothing-to-decide'],
    ],
  ])('%s', (_, attempt, status, expected) => {
    expect([decided(attempt, end - 1, status), decided(attempt, end, status)]).toEqual(expected)
  })
})

describe('what callbacks said and status did not show', () => {
  const tenMinutes = 600_000
  const chargeback = {
    status: 'approved',
    outcome: 'approved',
    stage: 'chargeback',
    amount: '3.00',
    at: 1_000,
    since: at - tenMinutes,
  } as const
  const later = { ...chargeback, amount: '4.00' }
  const told = stage({ ...approved, told: 2 })
  const paid = order({ attempts: [accepted], stages: [told], unshown: [chargeback] })
  const open = payment(paid)
  const noted: WantedDecision = { kind: 'noted' }
  const look = (document: PaymentDocument) => {
    const view = { reference: 'basket-7', at, profile: defaultProfile }
    const { totals, uncertain, needsPerson } = paymentOf(document, view)
    const questions = questionsOf(document, view).flatMap<unknown>(each =>
      each.kind === 'not-shown' ? [...each.callbacks] : [each],
    )
    return { list: entryOf(document).list, questions, hasTotals: totals !== undefined, uncertain, needsPerson }
  }

  it('is asked of a person, and makes totals a guess', () => {
    expect(look(open)).toEqual({
      list: 'needs-person',
      questions: [chargeback],
      hasTotals: false,
      uncertain:
        'A callback said that the chargeback over 3.00 is approved, and status never showed that: money may have moved at the gateway.',
      needsPerson: 'A callback of order basket-7 said what status does not show. Look it up at the gateway.',
    })
  })

  it('ends by itself once status shows it', () => {
    const shown = { ...told, stage: 'chargeback', amount: '3.00', serialNumber: 's-2' } as const
    const now = look(payment({ ...paid, stages: [told, shown] }))
    expect(now).toMatchObject({ list: null, questions: [], hasTotals: true, needsPerson: undefined })
  })

  it('is noted by a person, and totals stay uncertain', () => {
    const after = done(open, noted)
    expect(look(after)).toEqual({ ...look(open), list: null, questions: [], needsPerson: undefined })
    expect(decideMatter(after, noted, facts())).toMatchObject({ kind: 'done', again: true })
  })

  it('is dismissed by a person who finds nothing of it at the gateway, and totals are certain again', () => {
    const now = look(done(open, { kind: 'dismissed' }))
    expect(now).toEqual({ list: null, questions: [], hasTotals: true, uncertain: undefined, needsPerson: undefined })
  })

  it('is not decided about by a person who may have looked before it was asked', () => {
    const verdict = decideMatter(open, noted, facts({ spokenAt: at - 1 }))
    expect(because(verdict)).toBe('under-way')
  })

  it('is asked again for what callbacks say later, and for that alone', () => {
    const after = done(open, noted)
    const [first] = after.orders
    const again = { ...after, orders: [{ ...first, unshown: [chargeback, later] } as KnownOrder] }
    expect(look(again)).toMatchObject({ list: 'needs-person', questions: [later] })
    expect(look(done(again, noted))).toMatchObject({ list: null, questions: [] })
  })

  it('needs two persons where they are needed for the money of the order', () => {
    const verdict = decideMatter(open, noted, facts({ secondPersonAbove: { EUR: '5.00' } }))
    expect(verdict.kind).toBe('needs-second-person')
    if (verdict.kind !== 'needs-second-person') return
    expect(look(verdict.document).questions).toEqual([chargeback])
    const byBob = done(verdict.document, noted, { secondPersonAbove: { EUR: '5.00' }, person: bob })
    expect(look(byBob).questions).toEqual([])
  })

  it('is nothing to decide where there is none', () => {
    expect(because(decideMatter(payment(order({ attempts: [accepted], stages: [told] })), noted, facts()))).toBe(
      'nothing-to-decide',
    )
  })
})

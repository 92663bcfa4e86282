import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { liveIntent, type Said, type Script, says } from '../../test/engine/live-intent.js'
import { returnPlan } from '../../test/engine/return-plan.js'
import { order, payment, part as returned, sale, stage } from '../../test/state/payment-samples.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt, Wish } from '../state/known.js'
import { type FollowUpPlan, followUp, strike } from './follow-up.js'

const accepted: KnownAttempt = { ...sale, end: { kind: 'accepted', orderId: '77', at: 2_000 } }
const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })
const first = order({ orderId: '77', attempts: [accepted], stages: [approved] })
const second = order({
  clientOrderId: 'basket-7.2r',
  orderId: '78',
  attempts: [
    {
      ...accepted,
      clientOrderId: 'basket-7.2r',
      reservation: 'r-9',
      end: { kind: 'accepted', orderId: '78', at: 2_000 },
    },
  ],
  stages: [approved],
})
const wish: Wish = { name: 'return', clientOrderId: 'basket-7', before: [], since: 3_000 }
const surplus: Wish = { ...wish, because: 'surplus' }
const part: Wish = { ...wish, part: { amount: '3.00', key: 'cup' } }

const plan: FollowUpPlan = {
  profile: defaultProfile,
  profileOf: returnPlan.profileOf,
  changeFor: ({ name, part, clientOrderId, before }) => ({
    ...returnPlan,
    terms: { name, part, clientOrderId, before },
  }),
}

const shown = says('approved')
const second78 = says('approved', { clientOrderId: 'basket-7.2r', orderId: '78' })
const givenBack = (fields = {}) => says('approved', { transactionType: 'reversal', ...fields })
const refuses: Said = { kind: 'refused' }
const owing = (document: PaymentDocument, ...wishes: readonly Wish[]): PaymentDocument => ({ ...document, wishes })
const ends = (kind: AttemptEnd['kind']): AttemptEnd => ({ kind, at: 100_000 })

/** Says what is done, in order, how it ends, and what is left to do. */
function lived(document: PaymentDocument | undefined, script?: Script): string {
  const { effects, result, last } = liveIntent(followUp(plan), document, script)
  const done = effects.flatMap(({ kind }) => (kind === 'ask' || kind === 'request' ? [kind] : []))
  const { kind, came } = result
  const why = came === undefined ? 'nothing' : came.kind === 'surplus' ? came.step : came.kind
  return [...done, `${kind} (${why})`, `${last?.wishes?.length ?? 0} left${result.goesOn ? ', goes on' : ''}`].join(
    ', ',
  )
}

const sent = (end: AttemptEnd | undefined): KnownAttempt => {
  const { amount: _amount, currency: _currency, ...whole } = returned
  return { ...whole, ...(end === undefined ? {} : { end }) }
}

type Row = readonly [what: string, document: PaymentDocument | undefined, script: Script, done: string]

const rows: readonly Row[] = [
  ['that nobody wants', payment(first), {}, 'done (nothing), 0 left'],
  ['of a payment that is not kept', undefined, {}, 'done (nothing), 0 left'],
  ['is sent, and struck', owing(payment(first), wish), { answers: [shown] }, 'ask, request, done (ended), 0 left'],
  [
    'comes before the next one',
    owing(payment(first), part, wish),
    { answers: [shown] },
    'ask, request, done (ended), 1 left, goes on',
  ],
  [
    'that was sent is struck',
    owing(payment({ ...first, attempts: [accepted, sent({ ...ends('accepted'), serialNumber: 's' })] }), wish),
    {},
    'done (again), 0 left',
  ],
  [
    'stays while it is not known what became of it',
    owing(payment({ ...first, attempts: [accepted, sent(ends('unknown'))] }), wish),
    {},
    'open (again), 1 left',
  ],
  [
    'stays where it is not answered',
    owing(payment(first), wish),
    { answers: [shown], end: ends('unknown') },
    'ask, request, open (ended), 1 left',
  ],
  [
    'stays where it is refused: keys may be wrong',
    owing(payment(first), wish),
    { answers: [shown], end: ends('refused') },
    'ask, request, open (ended), 1 left',
  ],
  [
    'stays where the payment does not allow it: its caller says whether it is struck',
    owing(payment(first), { ...wish, name: 'capture' }),
    {},
    'open (refused), 1 left',
  ],
]

const partBack = { ...approved, stage: 'reversal', amount: '3.00' } as const

const surplusRows: readonly Row[] = [
  [
    'goes back while the other one keeps its money',
    owing(payment(first, second), surplus),
    { answers: [shown, second78] },
    'ask, ask, request, done (ended), 0 left',
  ],
  [
    'stays where status refuses the question about the other one',
    owing(payment(first, second), surplus),
    { answers: [shown, refuses] },
    'ask, ask, open (wait), 1 left',
  ],
  [
    'stays where status does not answer',
    owing(payment(first, second), surplus),
    { answers: [shown] },
    'ask, ask, open (wait), 1 left',
  ],
  [
    'is left to a person where status does not answer, and a part of the other one went back at the gateway',
    owing(payment(first, { ...second, stages: [approved, partBack] }), surplus),
    { answers: [shown] },
    'ask, ask, gone (person), 0 left',
  ],
  [
    'is kept where the other one was given back at the gateway',
    owing(payment(first, second), surplus),
    { answers: [shown, givenBack({ clientOrderId: 'basket-7.2r', orderId: '78' })] },
    'ask, ask, gone (kept), 0 left',
  ],
  [
    'is struck where it was given back at the gateway itself',
    owing(payment(first, second), surplus),
    { answers: [givenBack(), second78] },
    'ask, ask, done (given), 0 left',
  ],
  [
    'stays where the other one is of an account that is gone',
    owing(payment(first, { ...second, login: 'gone' }), surplus),
    { answers: [shown] },
    'ask, open (wait), 1 left',
  ],
]

describe('a change that follows an outcome', () => {
  it.each(rows)('%s', (_what, document, script, done) => {
    expect(lived(document, script)).toBe(done)
  })

  it('is struck in the write that says how its request ended', () => {
    const { kinds } = liveIntent(followUp(plan), owing(payment(first), wish), { answers: [shown] })
    expect(kinds).toEqual(['read', 'ask', 'write', 'request', 'write', 'end'])
  })

  it('is not sent again where another process has struck it', () => {
    const scene = liveIntent(strike(wish), owing(payment(first), wish, part))
    expect(scene.result).toEqual({ goesOn: true })
    expect(scene.last?.wishes).toEqual([part])
    expect(lived(scene.last, { answers: [shown] })).toBe('ask, request, done (ended), 0 left')
  })
})

describe('a surplus order', () => {
  it.each(surplusRows)('%s', (_what, document, script, done) => {
    expect(lived(document, script)).toBe(done)
  })
})

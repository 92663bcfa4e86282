import type { AttemptEnd } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { liveIntent, type Script, says } from '../../test/engine/live-intent.js'
import { returnPlan } from '../../test/engine/return-plan.js'
import { order, payment, part as returned, sale, stage } from '../../test/state/payment-samples.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt } from '../state/known.js'
import { type ChangePlan, type ChangeResult, change } from './change.js'

const accepted: KnownAttempt = { ...sale, end: { kind: 'accepted', orderId: '77', at: 2_000 } }
const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })
const paid = order({ orderId: '77', attempts: [accepted], stages: [approved] })
const cup = { amount: '3.00', key: 'cup' }
const partOf = (end: AttemptEnd | undefined, fields: Partial<KnownAttempt> = {}): KnownAttempt => ({
  ...returned,
  attemptId: 'return:1:cup',
  ...(end === undefined ? {} : { end }),
  ...fields,
})

/** Says what is done, in order, and how it ends. */
function lived(document: PaymentDocument | undefined, script: Script & { readonly plan?: Partial<ChangePlan> } = {}) {
  const { effects, result, last } = liveIntent(change({ ...returnPlan, ...script.plan }), document, script)
  const done = effects.flatMap(each => {
    if (each.kind === 'ask') return each.isBrief === true ? 'looks' : 'asks'
    if (each.kind === 'request') return `sends ${requestIn(last)}`
    return []
  })
  return [...done, endingOf(result)].join(', ')
}

function requestIn(document: PaymentDocument | undefined): string {
  const sent = document?.orders[0]?.attempts.at(-1)
  return `${sent?.attemptId}${sent?.amount === undefined ? '' : ` of ${sent.amount}`}`
}

function endingOf(result: ChangeResult): string {
  switch (result.kind) {
    case 'ended':
      return result.end.kind
    case 'again':
      return result.isAccepted ? 'again' : 'again, not known'
    case 'refused':
      return result.step.kind
    case 'not-reserved':
      return result.why.kind
    default:
      return result.kind
  }
}

const someone = { kind: 'accepted', at: 3_000, serialNumber: 's-2' } as const
const restored: Script['marks'] = { restoredUntil: 1_000_000 }
const shows = says('approved')
const ofPart = { terms: { name: 'return', part: cup } } as const
const capture = { terms: { name: 'capture' } } as const

type Row = readonly [
  what: string,
  document: PaymentDocument | undefined,
  script: Parameters<typeof lived>[1],
  done: string,
]

const rows: readonly Row[] = [
  ['of a sale that is paid', payment(paid), { answers: [shows] }, 'looks, sends whole, accepted'],
  ['though status does not answer', payment(paid), {}, 'looks, sends whole, accepted'],
  ['of a part', payment(paid), { answers: [shows], plan: ofPart }, 'looks, sends return:1:cup of 3.00, accepted'],
  ['of nothing', undefined, {}, 'not-possible'],
  ['of a sale that is no hold', payment(paid), { plan: capture }, 'not-possible'],
  [
    'of more than there is',
    payment(paid),
    { plan: { terms: { name: 'return', part: { ...cup, amount: '10.01' } } } },
    'too-much',
  ],
  ['that was sent', payment({ ...paid, attempts: [accepted, partOf(someone)] }), { plan: ofPart }, 'again'],
  [
    'that was sent, and not answered',
    payment({ ...paid, attempts: [accepted, partOf({ kind: 'unknown', at: 3_000 })] }),
    { plan: ofPart },
    'again, not known',
  ],
  [
    'that was sent over another amount',
    payment({ ...paid, attempts: [accepted, partOf(someone, { amount: '4.00' })] }),
    { plan: ofPart },
    'other-amount',
  ],
  [
    'beside one that was not answered',
    payment({ ...paid, attempts: [accepted, partOf({ kind: 'unknown', at: 3_000 })] }),
    { plan: { terms: { name: 'return', part: { ...cup, key: 'plate' } } } },
    'asks, open',
  ],
  [
    'that was given back meanwhile, as status shows',
    payment(paid),
    { answers: [says('approved', { transactionType: 'reversal' })] },
    'looks, not-possible',
  ],
  [
    'that nobody wants any more',
    payment(paid),
    { answers: [shows], plan: { onlyWhile: () => false } },
    'looks, unwanted',
  ],
  [
    'of an account that is gone',
    payment({ ...paid, login: 'gone' }),
    { plan: { profileOf: () => undefined } },
    'no-account',
  ],
  [
    'under an id that was used for another request, which did nothing',
    payment({ ...paid, attempts: [accepted, partOf({ kind: 'refused', at: 3_000 }, { fingerprint: 'other' })] }),
    { answers: [shows], plan: ofPart },
    'looks, sends return:2:cup of 3.00, accepted',
  ],
  [
    'under the same id, after a request that did nothing',
    payment({ ...paid, attempts: [accepted, partOf({ kind: 'refused', at: 3_000 })] }),
    { answers: [shows], plan: ofPart },
    'looks, sends return:1:cup of 3.00, accepted',
  ],
  ['in a restored store', payment(paid), { marks: restored, answers: [shows] }, 'asks, sends whole, accepted'],
  ['in a restored store, and nobody answers', payment(paid), { marks: restored }, 'asks, open'],
  [
    'in a restored store, where status shows a part that it lacks, so that totals are not certain',
    payment(paid),
    { marks: restored, plan: ofPart, answers: [says('approved', { transactionType: 'reversal', amount: '3.00' })] },
    'asks, not-possible',
  ],
  [
    'that the gateway refuses',
    payment(paid),
    { answers: [shows], end: { kind: 'refused', at: 100_000 } },
    'looks, sends whole, refused',
  ],
  [
    'that is not answered',
    payment(paid),
    { answers: [shows], end: { kind: 'unknown', at: 100_000 } },
    'looks, sends whole, unknown',
  ],
]

describe('a return', () => {
  it.each(rows)('%s', (_what, document, script, done) => {
    expect(lived(document, script)).toBe(done)
  })

  it('keeps what status showed before it, to know the change by', () => {
    const { last } = liveIntent(change(returnPlan), payment(paid), { answers: [shows] })
    expect(last?.orders[0]?.attempts.at(-1)?.baseline).toMatchObject({ status: 'approved', stage: 'sale' })
  })

  it('keeps what its question brought to light, and waits for no handler', () => {
    const script = { answers: [says('approved', { transactionType: 'reversal' })] }
    const { kinds, result } = liveIntent(change(returnPlan), payment(paid), script)
    expect(kinds).toEqual(['read', 'ask', 'write', 'end'])
    expect(result).toMatchObject({ kind: 'refused', step: { kind: 'not-possible' } })
  })
})

import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { liveIntent, type Said, says } from '../../test/engine/live-intent.js'
import { order, part, payment, sale, stage } from '../../test/state/payment-samples.js'
import type { WantedDecision } from '../rules/people/wanted.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt } from '../state/known.js'
import { decide } from './decide.js'

const unanswered: KnownAttempt = { ...sale, end: { kind: 'unknown', connection: 'closed', at: 40_000 } }
const accepted: KnownAttempt = { ...sale, end: { kind: 'accepted', orderId: '77', at: 2_000 } }
const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })
const returned: KnownAttempt = { ...part, end: { kind: 'unknown', serialNumber: 's-2', at: 50_000 } }

const unknown = payment(order({ attempts: [unanswered] }))
const unknownReturn = payment(order({ orderId: '77', attempts: [accepted, returned], stages: [approved] }))
const corrections = [{ from: 'approved', to: 'declined', askedAt: 6_000 }]
const disputed = payment(order({ orderId: '77', attempts: [accepted], stages: [{ ...approved, corrections }] }))

const failed: WantedDecision = { kind: 'failed' }
const settled: WantedDecision = { kind: 'settled', outcome: 'declined' }
const neverSeen: Said = { kind: 'never-seen', baseUrl: sale.baseUrl, before: [] }
const refused: Said = { kind: 'refused', mayBeAbsence: true }
const shows = says('approved')
const sn = { transactionType: 'reversal', amount: '3.00', serialNumber: 's-9' }

/** Says how many questions were asked, what was written, and what came of it. */
function lived(document: PaymentDocument | undefined, wanted: WantedDecision, answers: readonly Said[] = []): string {
  const plan = { wanted, person: { who: 'ada', why: 'ticket 4711' }, secondPersonAbove: undefined }
  const profileOf = (login: string) => (login === 'merchant' ? defaultProfile : undefined)
  const next = decide({ ...plan, profile: defaultProfile, profileOf })
  const { asked, last, result } = liveIntent(next, document, { answers })
  const { verdict } = result
  const came = verdict.kind === 'refused' ? verdict.because : verdict.kind
  const isKept = last?.decisions !== undefined
  return `${asked.length} asked, ${came}${isKept ? ', kept' : ''}`
}

type Row = readonly [
  what: string,
  document: PaymentDocument | undefined,
  wanted: WantedDecision,
  answers: readonly Said[],
  done: string,
]

const rows: readonly Row[] = [
  ['a payment that is not kept', undefined, failed, [], '0 asked, nothing-to-decide'],
  ['a request that status has never seen', unknown, failed, [neverSeen], '1 asked, done, kept'],
  ['one about which status refuses the question', unknown, failed, [refused], '1 asked, done, kept'],
  [
    'one about which it refuses it by a word that is not the known one',
    unknown,
    failed,
    [{ kind: 'refused' }],
    '1 asked, no-answer',
  ],
  ['one about which status does not answer', unknown, failed, [], '1 asked, no-answer'],
  ['one that status shows', unknown, failed, [shows], '1 asked, nothing-to-decide'],
  [
    'one that status shows over another amount',
    unknown,
    failed,
    [says('approved', { amount: '12.00' })],
    '1 asked, status-differs',
  ],
  [
    'an order that status speaks of under another id',
    unknown,
    failed,
    [says('approved', { clientOrderId: 'basket-8' })],
    '1 asked, no-answer',
  ],
  [
    'a request of an account that is gone',
    payment(order({ login: 'gone', attempts: [{ ...unanswered, login: 'gone' }] })),
    failed,
    [],
    '0 asked, no-answer',
  ],
  [
    'a request that arrived under the id that the person names',
    unknown,
    { kind: 'arrived', orderId: '77' },
    [shows],
    '1 asked, done, kept',
  ],
  [
    'a request that did not arrive under that id',
    unknown,
    { kind: 'arrived', orderId: '77' },
    [{ kind: 'refused' }],
    '1 asked, status-differs',
  ],
  [
    'a request whose id is that of another one',
    payment(order({ orderId: '78', attempts: [unanswered] })),
    { kind: 'arrived', orderId: '77' },
    [],
    '0 asked, status-differs',
  ],
  [
    'a return of which status knows nothing',
    unknownReturn,
    failed,
    [{ kind: 'refused' }, shows],
    '2 asked, done, kept',
  ],
  [
    'a return that status shows',
    unknownReturn,
    failed,
    [says('approved', { ...sn, byRequestSn: 's-2' })],
    '1 asked, nothing-to-decide',
  ],
  [
    'a return under the serial number that the person names',
    unknownReturn,
    { kind: 'arrived', serialNumber: 's-4' },
    [says('approved', { ...sn, byRequestSn: 's-4' })],
    '1 asked, done, kept',
  ],
  [
    'a return under a serial number that status does not repeat',
    unknownReturn,
    { kind: 'arrived', serialNumber: 's-4' },
    [says('approved', { ...sn, byRequestSn: 's-5' })],
    '1 asked, status-differs',
  ],
  ['the latest of two words', disputed, settled, [says('declined')], '1 asked, done, kept'],
  ['a word that status takes back', disputed, settled, [shows], '1 asked, status-differs'],
  ['a word about which status does not answer', disputed, settled, [], '1 asked, no-answer'],
]

describe('a person decides about', () => {
  it.each(rows)('%s', (_what, document, wanted, answers, done) => {
    expect(lived(document, wanted, answers)).toBe(done)
  })

  it('a request that had ended when the person spoke, give or take a second', () => {
    const plan = { wanted: failed, person: { who: 'ada', why: '1' }, secondPersonAbove: undefined }
    const next = decide({ ...plan, profile: defaultProfile, profileOf: () => defaultProfile })
    const ended = unanswered.end?.at ?? 0
    const after = (lived: number) => liveIntent(next, unknown, { answers: [neverSeen], at: 100_000, lived }).result
    expect(after(100_000 - ended + 1_000).verdict.kind).toBe('done')
    expect(after(100_000 - ended + 1_001).verdict).toMatchObject({ kind: 'refused', because: 'under-way' })
  })

  it('a request that is there, in the write that keeps what status says', () => {
    const plan = { wanted: failed, person: { who: 'ada', why: '1' }, secondPersonAbove: undefined }
    const next = decide({ ...plan, profile: defaultProfile, profileOf: () => defaultProfile })
    const { kinds } = liveIntent(next, unknown, { answers: [neverSeen] })
    expect(kinds).toEqual(['read', 'ask', 'write', 'end'])
  })
})

/** A merchant asks for a payment. Each row says how it stands, and what the till promises to do then. */
import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { type Said, type Script, says } from '../../test/engine/live-intent.js'
import {
  accepted,
  declined,
  form,
  formUrl,
  isOpen,
  later,
  livedPay,
  minute,
  nobodySays,
  opened,
  over,
  paid,
  plan,
} from '../../test/engine/pay-life.js'
import { order, payment, sale } from '../../test/state/payment-samples.js'
import type { PaymentDocument } from '../state/document.js'

type Row = readonly [
  payment: string,
  document: PaymentDocument | undefined,
  script: Parameters<typeof livedPay>[1],
  done: string,
]

const another = { terms: { ...plan.terms, amount: '12.00' } }
const replacing = { rules: { ...plan.rules, replaceOpenForm: true } }
const hold = { terms: { ...plan.terms, purpose: 'preauth' as const } }
const held = order({
  orderId: '77',
  attempts: [{ ...opened, operation: 'preauthForm', stages: ['preauth'] }],
  stages: [{ ...over('approved'), stage: 'preauth' }],
})
const next = 'sends basket-7.2r, go https://gate.example/form/2'

const rows: readonly Row[] = [
  ['new', undefined, {}, 'decides, sends basket-7, go https://gate.example/form/2'],
  ['of another purpose', payment(isOpen), { plan: hold }, 'other-payment'],
  ['in another currency', payment(paid), { plan: { terms: { ...plan.terms, currency: 'USD' } } }, 'other-payment'],
  [
    'of another account',
    payment(paid),
    { plan: { accountOf: () => ({ login: 'other', profile: defaultProfile }) } },
    'other-payment',
  ],
  ['on an open form', payment(isOpen), {}, `go ${formUrl}`],
  [
    'on an open form over another amount',
    payment(isOpen),
    { answers: [says('processing')], plan: another },
    'asks basket-7, other-amount',
  ],
  [
    'on an open form over another amount, which may be replaced',
    payment(isOpen),
    { answers: [says('processing')], plan: { ...another, ...replacing } },
    `asks basket-7, decides, ${next}`,
  ],
  [
    'on an open form over another amount, which may be replaced, and has a card by now',
    payment(isOpen),
    { answers: [says('processing', { lastFourDigits: '4448' })], plan: { ...another, ...replacing } },
    'asks basket-7, other-amount',
  ],
  [
    'on a form whose lifetime is over, without a payment',
    payment(isOpen),
    { at: 31 * minute, answers: [says('processing')] },
    `asks basket-7, go ${formUrl}`,
  ],
  [
    'on a form whose lifetime is over, without a payment, which may be replaced',
    payment(isOpen),
    { at: 31 * minute, answers: [says('processing')], plan: replacing },
    `asks basket-7, decides, ${next}`,
  ],
  [
    'on a form whose lifetime is over, and that was paid',
    payment(isOpen),
    { at: 31 * minute, answers: [says('approved')], plan: replacing },
    'asks basket-7, over',
  ],
  ['in 3DS', payment(order({ orderId: '77', attempts: [{ ...sale, end: accepted }] })), {}, 'go through 3DS'],
  [
    'being asked for by another process',
    payment(order({ attempts: [form] })),
    { at: 2_000 },
    'waits, wait basket-7, goes on, later',
  ],
  [
    'being asked for by another process, which has the form by then',
    payment(order({ attempts: [form] })),
    { at: 2_000, later: payment(isOpen) },
    `waits, go ${formUrl}`,
  ],
  [
    'on a form whose address was never kept, while it may arrive',
    payment(order({ attempts: [{ ...form, end: { kind: 'unknown', at: 32_000 } }] })),
    { at: 33_000 },
    'wait basket-7, goes on',
  ],
  [
    'on a form whose address was never kept, and cannot arrive any more',
    payment(order({ attempts: [form] })),
    { at: 10 * minute, answers: [{ kind: 'refused' }] },
    `asks basket-7, decides, ${next}`,
  ],
  [
    'on a form whose address was never kept, and nobody says how it stands',
    payment(order({ attempts: [form] })),
    { at: 10 * minute, answers: [nobodySays] },
    'asks basket-7, wait basket-7, goes on, later',
  ],
  [
    'not known, by card',
    payment(order({ attempts: [{ ...sale, end: { kind: 'unknown', at: 32_000 } }] })),
    { at: 10 * minute },
    'wait basket-7, goes on',
  ],
  ['declined', payment(declined), { answers: [says('declined')] }, `asks basket-7, decides, ${next}`],
  [
    'declined over another amount',
    payment(declined),
    { answers: [says('declined')], plan: another },
    `asks basket-7, decides, ${next}`,
  ],
  ['declined, and paid after all', payment(declined), { answers: [says('approved')] }, 'asks basket-7, over'],
  [
    'declined, and goes on',
    payment(declined),
    { answers: [says('processing')] },
    'asks basket-7, wait basket-7, later',
  ],
  [
    'declined, and nobody says so now',
    payment(declined),
    { answers: [nobodySays] },
    'asks basket-7, wait basket-7, later',
  ],
  [
    'declined, and the gateway does not know it',
    payment(declined),
    { answers: [{ kind: 'refused' }] },
    'asks basket-7, wait basket-7, later',
  ],
  [
    'declined on a form that takes another card',
    payment(declined),
    { plan: { accountOf: () => ({ login: 'merchant', profile: defineProfile({ formRetries: true }) }) } },
    `go ${formUrl}`,
  ],
  ['refused', payment(order({ attempts: [{ ...form, end: { kind: 'refused', at: 2_000 } }] })), {}, `decides, ${next}`],
  [
    'not sent',
    payment(order({ attempts: [{ ...form, end: { kind: 'not-sent', at: 2_000 } }] })),
    {},
    'decides, sends basket-7, go https://gate.example/form/2',
  ],
  [
    'without a trace',
    payment(order({ attempts: [{ ...form, end: { kind: 'no-trace', at: 2_000 } }] })),
    {},
    `decides, ${next}`,
  ],
  ['paid', payment(paid), {}, 'over'],
  ['held', payment(held), { plan: hold }, 'over'],
  [
    'returned in part',
    payment({ ...paid, stages: [over('approved'), { ...over('approved', '3.00'), stage: 'reversal' }] }),
    {},
    'over',
  ],
  ['paid over another amount', payment(paid), { plan: another }, 'other-amount'],
  [
    'released',
    payment({ ...held, stages: [...held.stages, { ...over('approved'), stage: 'void' }] }),
    { plan: hold, answers: [says('approved', { transactionType: 'void' })] },
    `asks basket-7, decides, ${next}`,
  ],
  [
    'returned in full',
    payment({ ...paid, stages: [over('approved'), { ...over('approved'), stage: 'reversal' }] }),
    {},
    'payment-over',
  ],
  [
    'charged back in full',
    payment({ ...paid, stages: [over('approved'), { ...over('approved'), stage: 'chargeback' }] }),
    {},
    'payment-over',
  ],
  ['purged', { ...payment(), orders: [paid], over: { at: 1_000 } } as unknown as PaymentDocument, {}, 'payment-over'],
  ['disputed', payment({ ...paid, crowded: true }), {}, 'needs-person'],
  ['paid twice', payment(paid, later(paid)), {}, 'needs-person'],
  [
    'tried as often as it may be',
    payment(declined),
    { answers: [says('declined')], plan: { rules: { ...plan.rules, mostOrders: 1 } } },
    'asks basket-7, too-many-orders',
  ],
]

const stopped: Script['marks'] = { pause: { kind: 'paused', who: 'ada', why: 'ticket 12', at: 1_000 } }
const restored: Script['marks'] = { restoredUntil: 24 * 60 * minute }
const few = { rules: { ...plan.rules, mostOrders: 2 } }
const neverSeen: Said = { kind: 'never-seen', baseUrl: plan.accounts[0]?.baseUrl ?? '', before: [] }

const marked: readonly Row[] = [
  ['new, while new money is stopped', undefined, { marks: stopped }, 'paused'],
  ['on an open form, while new money is stopped', payment(isOpen), { marks: stopped }, `go ${formUrl}`],
  [
    'declined, while new money is stopped',
    payment(declined),
    { marks: stopped, answers: [says('declined')] },
    'asks basket-7, paused',
  ],
  [
    'lacking in a backup, and at the gateway',
    undefined,
    { marks: restored, plan: few, answers: [says('approved')] },
    'asks basket-7, decides, over',
  ],
  [
    'lacking in a backup, and not at the gateway',
    undefined,
    { marks: restored, plan: few, answers: [neverSeen, neverSeen] },
    'asks basket-7, asks basket-7.2r, decides, sends basket-7, go https://gate.example/form/2',
  ],
  [
    'lacking in a backup, and refused as an id is that was just made up',
    undefined,
    { marks: restored, plan: few, answers: ['4', '4', '4'].map(errorCode => ({ kind: 'refused', errorCode })) },
    'asks basket-7, asks never-1, asks basket-7.2r, decides, sends basket-7, go https://gate.example/form/2',
  ],
  [
    'lacking in a backup, and refused in another way than such an id',
    undefined,
    { marks: restored, plan: few, answers: ['4', '5'].map(errorCode => ({ kind: 'refused', errorCode })) },
    'asks basket-7, asks never-1, wait basket-7, later',
  ],
  [
    'lacking in a backup, and nobody answers',
    undefined,
    { marks: restored, plan: few },
    'asks basket-7, wait basket-7, later',
  ],
]

describe('till.pay, where the payment is', () => {
  it.each([...rows, ...marked])('%s', (_payment, document, script, done) => {
    expect(livedPay(document, script)).toBe(done)
  })
})

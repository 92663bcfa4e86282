import { type AttemptEnd, defaultProfile, defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { nextPayStep } from './next-step.js'
import type { PayFacts, PayRules, PayTerms } from './pay-step.js'

const minute = 60_000
const formUrl = 'https://gate.example/form/1'

const terms: PayTerms = { reference: 'basket-7', purpose: 'sale', amount: '10.00', currency: 'EUR', login: 'merchant' }
const rules: PayRules = { profile: defaultProfile, replaceOpenForm: false, mostOrders: 10 }

const ended = (attempt: KnownAttempt, end: Partial<AttemptEnd> = {}): KnownAttempt => ({
  ...attempt,
  end: { kind: 'accepted', at: 2_000, orderId: '77', ...end },
})
const form: KnownAttempt = { ...sale, operation: 'saleForm' }
const opened = ended(form, { redirectUrl: formUrl })
const over = (outcome: 'approved' | 'declined', fields: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, amount: '10.00', currency: 'EUR', ...fields })
const next = (fields: Partial<KnownOrder>, nth = 2) =>
  order({
    clientOrderId: `basket-7.${nth}r`,
    orderId: `${nth}77`,
    attempts: [{ ...opened, clientOrderId: `basket-7.${nth}r` }],
    ...fields,
  })
const paid = order({ orderId: '77', attempts: [opened], stages: [over('approved')] })
const declined = order({ orderId: '77', attempts: [opened], stages: [over('declined')] })
const isOpen = order({ orderId: '77', attempts: [opened] })

interface Given {
  readonly terms?: Partial<PayTerms>
  readonly rules?: Partial<PayRules>
  readonly facts?: {
    readonly at?: number
    readonly asked?: string[]
    readonly askedAt?: number
    readonly begun?: string[]
    readonly differs?: string[]
    readonly unanswered?: string[]
  }
}

function step(document: PaymentDocument | undefined, given: Given = {}) {
  const { at = 40_000, asked = [], askedAt = at, begun = [], differs = [], unanswered = [] } = given.facts ?? {}
  const facts: PayFacts = {
    at,
    asked: new Set(asked),
    askedAt: new Map(asked.map(each => [each, askedAt])),
    unanswered: new Set(unanswered),
    begun: new Set(begun),
    differs: new Set(differs),
  }
  return nextPayStep(document, { ...terms, ...given.terms }, { ...rules, ...given.rules }, facts)
}

/** A step without the orders that it names, for comparing. */
function brief(document: PaymentDocument | undefined, given: Given = {}) {
  const { order: about, orders, ...rest } = { order: undefined, orders: undefined, ...step(document, given) }
  return {
    ...rest,
    ...(about === undefined ? {} : { order: about.clientOrderId }),
    ...(orders === undefined ? {} : { orders: orders.map(({ clientOrderId }) => clientOrderId) }),
  }
}

const asked = (...ids: string[]) => ({ facts: { asked: ids } })

describe('nextPayStep', () => {
  it.each<[string, PaymentDocument | undefined, Given, object]>([
    ['nothing is known', undefined, {}, { kind: 'open', clientOrderId: 'basket-7' }],
    ['the form is open', payment(isOpen), {}, { kind: 'go', order: 'basket-7', formUrl }],
    [
      'the amount is written otherwise',
      payment(isOpen),
      { terms: { amount: '10' } },
      { kind: 'go', order: 'basket-7', formUrl },
    ],
    [
      'the form is open over another amount',
      payment(isOpen),
      { terms: { amount: '12.00' } },
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '… and the merchant does not replace it',
      payment(isOpen),
      { terms: { amount: '12.00' }, ...asked('basket-7') },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      '… and status gave no answer, though it may be replaced',
      payment(isOpen),
      { terms: { amount: '12.00' }, rules: { replaceOpenForm: true }, facts: { unanswered: ['basket-7'] } },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      'the time of the form is over, and status gave no answer',
      payment(isOpen),
      { facts: { at: 31 * minute, unanswered: ['basket-7'] } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      'the form is declined, and status gave no answer about it',
      payment(declined),
      { facts: { unanswered: ['basket-7'] } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      'the payment went on without a form, and its customer is paying on it',
      payment({ ...isOpen, left: 'by-person', leftAt: 30_000 }),
      { facts: { asked: ['basket-7'], begun: ['basket-7'] } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      '… and its time is over',
      payment({ ...isOpen, left: 'by-person', leftAt: 30_000 }),
      { facts: { at: 31 * minute, asked: ['basket-7'], begun: ['basket-7'] } },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'two are declined, and status gave no answer about the second',
      payment(declined, next({ stages: [over('declined')] })),
      { facts: { asked: ['basket-7'], unanswered: ['basket-7.2r'] } },
      { kind: 'wait', order: 'basket-7.2r' },
    ],
    [
      'it is paid, though nobody could say so a moment ago',
      payment(paid),
      { facts: { unanswered: ['basket-7'] } },
      { kind: 'over', order: 'basket-7' },
    ],
    [
      'the form is open over another amount, and may be replaced',
      payment(isOpen),
      { terms: { amount: '12.00' }, rules: { replaceOpenForm: true }, ...asked('basket-7') },
      { kind: 'leave', order: 'basket-7', why: 'replaced' },
    ],
    [
      '… and a customer has begun to pay',
      payment(isOpen),
      {
        terms: { amount: '12.00' },
        rules: { replaceOpenForm: true },
        facts: { asked: ['basket-7'], begun: ['basket-7'] },
      },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      'the form is open over another amount, and its time is over',
      payment(isOpen),
      { terms: { amount: '12.00' }, facts: { at: 31 * minute, asked: ['basket-7'] } },
      { kind: 'leave', order: 'basket-7', why: 'expired' },
    ],
    [
      '… and status was asked before that',
      payment(isOpen),
      { terms: { amount: '12.00' }, facts: { at: 31 * minute, asked: ['basket-7'], askedAt: 29 * minute } },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      '… and nobody has asked status',
      payment(isOpen),
      { terms: { amount: '12.00' }, facts: { at: 31 * minute } },
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '… and a customer has begun to pay',
      payment(isOpen),
      { terms: { amount: '12.00' }, facts: { at: 31 * minute, asked: ['basket-7'], begun: ['basket-7'] } },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      '… and status gave no answer',
      payment(isOpen),
      { terms: { amount: '12.00' }, facts: { at: 31 * minute, unanswered: ['basket-7'] } },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      'the time of the form is over',
      payment(isOpen),
      { facts: { at: 31 * minute } },
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '… and nobody has begun to pay',
      payment(isOpen),
      { facts: { at: 31 * minute, asked: ['basket-7'] } },
      { kind: 'go', order: 'basket-7', formUrl },
    ],
    [
      '… and the merchant replaces it',
      payment(isOpen),
      { rules: { replaceOpenForm: true }, facts: { at: 31 * minute, asked: ['basket-7'] } },
      { kind: 'leave', order: 'basket-7', why: 'replaced' },
    ],
    [
      '… and a customer has begun to pay',
      payment(isOpen),
      { facts: { at: 31 * minute, asked: ['basket-7'], begun: ['basket-7'] } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      'the form is asked for right now',
      payment(order({ attempts: [form] })),
      { facts: { at: 20_000 } },
      { kind: 'await-answer', order: 'basket-7', until: 61_000 },
    ],
    [
      '… and whoever asks for it gave no answer in time',
      payment(order({ attempts: [form] })),
      { facts: { at: 20_000, unanswered: ['basket-7'] } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      '… by whom another amount was wanted',
      payment(order({ attempts: [form] })),
      { terms: { amount: '12.00' }, facts: { at: 20_000, unanswered: ['basket-7'] } },
      { kind: 'other-amount', was: '10.00', isOpen: true },
    ],
    [
      'the answer of the form was lost',
      payment(order({ attempts: [ended(form, { kind: 'unknown' })] })),
      {},
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      '… and is on no way any more',
      payment(order({ attempts: [ended(form, { kind: 'unknown' })] })),
      { facts: { at: 61_000 } },
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '… and status was asked',
      payment(order({ attempts: [ended(form, { kind: 'unknown' })] })),
      { facts: { at: 61_000, asked: ['basket-7'] } },
      { kind: 'leave', order: 'basket-7', why: 'no-address' },
    ],
    [
      '… and it was left',
      payment(order({ attempts: [ended(form, { kind: 'unknown' })], left: 'no-address' })),
      { facts: { at: 61_000, asked: ['basket-7'] } },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      '… and its request was never sent, as is known later',
      payment(order({ attempts: [ended(form, { kind: 'not-sent' })], left: 'no-address' })),
      { facts: { at: 61_000, asked: ['basket-7'] } },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'a form that was left is asked about once more',
      payment(order({ attempts: [opened], left: 'replaced' })),
      {},
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '3DS is under way',
      payment(order({ orderId: '77', attempts: [ended(sale)], stages: [stage()] })),
      {},
      { kind: 'go', order: 'basket-7', formUrl: undefined },
    ],
    [
      'the answer of a card payment was lost',
      payment(order({ attempts: [ended(sale, { kind: 'unknown' })] })),
      { facts: { at: 9 * minute } },
      { kind: 'wait', order: 'basket-7' },
    ],
    [
      'a stored card is charged',
      payment(order({ orderId: '77', attempts: [ended({ ...sale, operation: 'makeRebill' })] })),
      {},
      { kind: 'wait', order: 'basket-7' },
    ],
    ['it was declined', payment(declined), {}, { kind: 'ask', orders: ['basket-7'] }],
    [
      'it was declined, and status was asked once more',
      payment(declined),
      asked('basket-7'),
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'it was declined, and the amount differs now',
      payment(declined),
      { terms: { amount: '9.00' }, ...asked('basket-7') },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'it was declined on a form that asks for another card',
      payment(declined),
      { rules: { profile: defineProfile({ formRetries: true }) } },
      { kind: 'go', order: 'basket-7', formUrl },
    ],
    [
      '… and that the gateway opened a minute after it was asked for',
      payment({ ...declined, attempts: [ended(form, { redirectUrl: formUrl, at: 61_000 })] }),
      { rules: { profile: defineProfile({ formRetries: true }) }, facts: { at: 31 * minute } },
      { kind: 'go', order: 'basket-7', formUrl },
    ],
    [
      '… although the gateway made another order of the same id, which was declined as well',
      payment(
        declined,
        next({ clientOrderId: 'basket-7~78', attempts: [ended(form, {})], stages: [over('declined')] }),
      ),
      { rules: { profile: defineProfile({ formRetries: true }) } },
      { kind: 'go', order: 'basket-7', formUrl },
    ],
    [
      '… whose time is over',
      payment(declined),
      { rules: { profile: defineProfile({ formRetries: true }) }, facts: { at: 31 * minute, asked: ['basket-7'] } },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'two were declined: each is asked about',
      payment(declined, next({ stages: [over('declined')] })),
      asked('basket-7.2r'),
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      'it was refused',
      payment(order({ attempts: [ended(form, { kind: 'refused' })] })),
      {},
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'it left no trace',
      payment(order({ attempts: [ended(form, { kind: 'no-trace' })] })),
      {},
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'it was not sent',
      payment(order({ attempts: [ended(form, { kind: 'not-sent' })] })),
      {},
      { kind: 'open', clientOrderId: 'basket-7' },
    ],
    [
      'it was not sent, and said something else',
      payment(order({ attempts: [ended(form, { kind: 'not-sent' })] })),
      { facts: { differs: ['basket-7'] } },
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    [
      'the second was not sent, long ago: the first is asked about again',
      payment(declined, next({ attempts: [ended(form, { kind: 'not-sent' })] })),
      {},
      { kind: 'ask', orders: ['basket-7'] },
    ],
    [
      '… and is opened once that was asked',
      payment(declined, next({ attempts: [ended(form, { kind: 'not-sent' })] })),
      asked('basket-7'),
      { kind: 'open', clientOrderId: 'basket-7.2r' },
    ],
    ['it is paid', payment(paid), {}, { kind: 'over', order: 'basket-7' }],
    [
      'it is paid by the second order',
      payment(declined, next({ stages: [over('approved')] })),
      {},
      { kind: 'over', order: 'basket-7.2r' },
    ],
    [
      'it is paid late',
      payment(
        order({
          attempts: [opened],
          stages: [over('declined', { corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }] })],
        }),
      ),
      {},
      { kind: 'over', order: 'basket-7' },
    ],
    [
      'a part of it was given back',
      payment({
        ...paid,
        attempts: [opened, ended(part, { serialNumber: 's-2' })],
        stages: [over('approved'), over('approved', { stage: 'reversal', amount: '3.00', serialNumber: 's-2' })],
      }),
      {},
      { kind: 'over', order: 'basket-7' },
    ],
    [
      'it is paid over another amount',
      payment(paid),
      { terms: { amount: '12.00' } },
      { kind: 'other-amount', was: '10.00', isOpen: false },
    ],
    [
      'all of it was given back',
      payment({
        ...paid,
        attempts: [opened, ended({ ...part, amount: '10.00' }, { serialNumber: 's-2' })],
        stages: [over('approved'), over('approved', { stage: 'reversal', serialNumber: 's-2' })],
      }),
      {},
      { kind: 'payment-over', why: 'returned' },
    ],
    [
      'another amount was approved than was asked for',
      payment({ ...paid, stages: [over('approved', { amount: '1.00' })] }),
      {},
      { kind: 'needs-person', why: 'disputed' },
    ],
    [
      'the bank took it back',
      payment({ ...paid, stages: [over('approved'), over('approved', { stage: 'chargeback' })] }),
      {},
      { kind: 'payment-over', why: 'returned' },
    ],
    ['only its name is left', { ...payment(order()), over: 5 }, {}, { kind: 'payment-over', why: 'purged' }],
    [
      'the gateway took an approval back',
      payment(
        order({
          attempts: [opened],
          stages: [over('approved', { corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }] })],
        }),
      ),
      {},
      { kind: 'needs-person', why: 'disputed' },
    ],
    [
      'two orders brought money',
      payment(paid, next({ stages: [over('approved')] })),
      {},
      { kind: 'needs-person', why: 'surplus' },
    ],
    [
      'a form that was left brought money as well',
      payment({ ...paid, left: 'replaced' }, next({ stages: [over('approved')] })),
      {},
      { kind: 'needs-person', why: 'surplus' },
    ],
    [
      'it is to be held now',
      payment(declined),
      { terms: { purpose: 'preauth' } },
      { kind: 'other-payment', differs: 'purpose', was: 'sale', mayHaveMoney: false },
    ],
    [
      'its currency differs',
      payment(paid),
      { terms: { currency: 'USD' } },
      { kind: 'other-payment', differs: 'currency', was: 'EUR', mayHaveMoney: true },
    ],
    [
      'its account differs',
      payment(declined),
      { terms: { login: 'other' } },
      { kind: 'other-payment', differs: 'account', was: 'merchant', mayHaveMoney: false },
    ],
    [
      'a reference differs in case',
      { ...payment(paid), reference: 'BASKET-7' },
      {},
      { kind: 'other-case', reference: 'BASKET-7' },
    ],
    [
      'it was tried too often',
      payment(declined, next({ stages: [over('declined')] })),
      { rules: { mostOrders: 2 }, ...asked('basket-7', 'basket-7.2r') },
      { kind: 'too-many-orders', mayBePaid: false },
    ],
    [
      'it was tried too often, and went on without an open order',
      payment({ ...isOpen, left: 'replaced', leftAt: 30_000 }, next({ stages: [over('declined')] })),
      { rules: { mostOrders: 2 }, ...asked('basket-7', 'basket-7.2r') },
      { kind: 'too-many-orders', mayBePaid: true },
    ],
  ])('where %s', (_, document, given, expected) => {
    expect(brief(document, given)).toEqual(expected)
  })

  it.each<[string, KnownOrder[]]>([
    ['open', [isOpen]],
    ['under way', [order({ attempts: [form] })]],
    ['declined', [declined]],
    ['paid', [paid]],
    ['paid after a decline', [declined, next({ stages: [over('approved')] })]],
    ['surplus', [paid, next({ stages: [over('approved')] })]],
    ['charged back', [{ ...paid, stages: [over('approved'), over('approved', { stage: 'chargeback' })] }]],
  ])('till.pay, another purpose, currency or account: is another payment while this one is %s', (_, orders) => {
    const others: readonly Partial<PayTerms>[] = [{ purpose: 'preauth' }, { currency: 'USD' }, { login: 'other' }]
    for (const other of others) expect(step(payment(...orders), { terms: other }).kind).toBe('other-payment')
  })

  it('says that it is over where the surplus was given back', () => {
    const back = over('approved', { stage: 'reversal', serialNumber: 's-2' })
    const returned = next({ stages: [over('approved'), back] })
    expect(brief(payment(paid, returned))).toEqual({ kind: 'over', order: 'basket-7' })
  })

  const hold = ended({ ...form, operation: 'preauthForm', stages: ['preauth'] }, { redirectUrl: formUrl })
  const held = over('approved', { stage: 'preauth' })
  const holdTerms = { terms: { purpose: 'preauth' as const } }

  it.each<[string, KnownOrder, object]>([
    ['is held', order({ orderId: '77', attempts: [hold], stages: [held] }), { kind: 'over', order: 'basket-7' }],
    [
      'was captured in part',
      order({
        orderId: '77',
        attempts: [hold, ended({ ...part, operation: 'capture', stages: ['capture'] }, { serialNumber: 's-2' })],
        stages: [held, over('approved', { stage: 'capture', amount: '3.00', serialNumber: 's-2' })],
      }),
      { kind: 'over', order: 'basket-7' },
    ],
    [
      'was released',
      order({ orderId: '77', attempts: [hold, ended(whole)], stages: [held, over('approved', { stage: 'void' })] }),
      { kind: 'ask', orders: ['basket-7'] },
    ],
  ])('where a hold %s', (_, document, expected) => {
    expect(brief(payment(document), holdTerms)).toEqual(expected)
  })

  it('opens the next order where a hold was released, once status was asked', () => {
    const released = order({
      orderId: '77',
      attempts: [hold, ended(whole)],
      stages: [held, over('approved', { stage: 'void' })],
    })
    expect(brief(payment(released), { ...holdTerms, ...asked('basket-7') })).toEqual({
      kind: 'open',
      clientOrderId: 'basket-7.2r',
    })
  })

  it('says of a verification that is done that it is over, whatever is asked for', () => {
    const {
      amount: _amount,
      currency: _currency,
      ...verification
    } = { ...form, operation: 'accountVerificationForm', stages: ['verification'] as const }
    const verified = order({
      attempts: [ended(verification)],
      stages: [stage({ stage: 'verification', status: 'approved', outcome: 'approved' })],
    })
    expect(
      brief(payment(verified), { terms: { purpose: 'verification', amount: undefined, currency: undefined } }),
    ).toEqual({ kind: 'over', order: 'basket-7' })
  })
})

describe('nextPayStep, where the store was restored from a backup', () => {
  const restored = (
    document: PaymentDocument | undefined,
    facts: Partial<PayFacts> = {},
    allowed: Partial<PayRules> = {},
  ) => {
    const known = { at: 200_000, asked: new Set(['basket-7']), begun: new Set<string>(), differs: new Set<string>() }
    return nextPayStep(document, terms, { ...rules, ...allowed }, { ...known, restored: true, ...facts })
  }
  const unanswered = order({ attempts: [form] })
  const shown = order({ orderId: '77', attempts: [form], stages: [stage()] })

  it.each<[string, PaymentDocument | undefined, string]>([
    ['nothing is known', undefined, 'basket-7'],
    ['the first one was declined', payment(declined), 'basket-7.2r'],
    ['a form was not answered, and status did not show it', payment(unanswered), 'basket-7'],
  ])('looks for the order that it would open: %s', (_, document, clientOrderId) => {
    expect(restored(document)).toEqual({ kind: 'find', clientOrderId })
    expect(restored(document, { absent: new Set(['another']) }).kind).toBe('find')
    expect(['open', 'leave']).toContain(restored(document, { absent: new Set([clientOrderId]) }).kind)
  })

  it('never leaves a form whose address may have been given since: a merchant may replace it, while nobody has begun to pay', () => {
    const replaces = { replaceOpenForm: true }
    expect(restored(payment(shown))).toMatchObject({ kind: 'wait' })
    expect(restored(payment(shown), {}, replaces)).toMatchObject({ kind: 'leave', why: 'replaced' })
    expect(restored(payment(shown), { begun: new Set(['basket-7']) }, replaces)).toMatchObject({ kind: 'wait' })
    expect(restored(payment(shown), { restored: false })).toMatchObject({ kind: 'leave', why: 'no-address' })
  })
})

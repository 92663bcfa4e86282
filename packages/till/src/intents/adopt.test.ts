import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownOrder, paidPayment } from '../../test/engine/known-sale.js'
import { liveIntent, type Said, says } from '../../test/engine/live-intent.js'
import { payment } from '../../test/state/payment-samples.js'
import type { PaymentDocument } from '../state/document.js'
import { type AdoptPlan, adopt } from './adopt.js'

const account = { login: 'merchant', baseUrl: 'https://gate.example/paynet', profile: defaultProfile }
const plan: AdoptPlan = {
  order: {
    reference: 'basket-7',
    clientOrderId: 'web-117',
    attemptId: 'a',
    reservation: 'adopted/1',
    fingerprint: '',
  },
  orderId: undefined,
  serialNumbers: [],
  accountOf: () => account,
  lost: { accounts: [account], madeUp: 'never-1' },
  isTakenUp: true,
}
const made = (fields = {}): Said => says('approved', { clientOrderId: 'web-117', orderId: '99', ...fields })

/** Says what was asked, what was written, and what came of it. */
function lived(document: PaymentDocument | undefined, answers: readonly Said[], more: Partial<AdoptPlan> = {}): string {
  const { asked, effects, result, last } = liveIntent(adopt({ ...plan, ...more }), document, { answers })
  const writes = effects.filter(({ kind }) => kind === 'write').length
  const came = result.kind === 'refused' ? result.because : result.kind
  const order = last?.orders.find(each => each.clientOrderId === 'web-117')
  const stages = order?.stages.map(({ stage, status }) => `${stage} ${status}`).join(', ') ?? 'none'
  return `asked ${asked.join(', ') || 'nothing'}; ${writes} written; ${came}; ${stages}`
}

describe('an order that was made elsewhere', () => {
  it('is taken up with what status says of it', () => {
    expect(lived(undefined, [made()])).toBe('asked web-117; 1 written; adopted; sale approved')
  })

  it('is asked about by each of its serial numbers, and at last about its latest request', () => {
    const answers = [
      made({ serialNumber: 's-1', byRequestSn: 's-1' }),
      made({ transactionType: 'reversal', amount: '3.00' }),
    ]
    expect(lived(undefined, answers, { serialNumbers: ['s-1'] })).toBe(
      'asked web-117 s-1, web-117; 1 written; adopted; sale approved, reversal approved',
    )
  })

  it.each<readonly [string, readonly Said[], string]>([
    ['status does not answer', [], 'no-answer'],
    ['the gateway refuses the question', [{ kind: 'refused' }], 'unknown-at-gateway'],
    ['it has never seen it', [{ kind: 'never-seen', baseUrl: '', before: [] }], 'unknown-at-gateway'],
    ['it speaks of another order', [made({ clientOrderId: 'web-118' })], 'unknown-at-gateway'],
    ['it is in another currency', [made({ currency: 'USD' })], 'other-payment'],
  ])('is not taken up where %s', (_, answers, why) => {
    expect(lived(paidPayment, answers)).toBe(`asked web-117; 0 written; ${why}; none`)
  })

  it('is only asked about before its id is claimed, and not asked about again after that', () => {
    const { result } = liveIntent(adopt({ ...plan, isTakenUp: false }), undefined, { answers: [made()] })
    if (result.kind !== 'answered') throw new Error(result.kind)
    expect(lived(undefined, [], { answers: result.answers })).toBe('asked nothing; 1 written; adopted; sale approved')
  })

  const neverSeen: Said = { kind: 'never-seen', baseUrl: '', before: [] }

  it.each<readonly [string, readonly Said[], string]>([
    ['has never seen it', [neverSeen], '; 1 written; adopted; none'],
    [
      'refuses the question, as it does for one that was made up',
      [
        { kind: 'refused', errorCode: '7' },
        { kind: 'refused', errorCode: '7' },
      ],
      ', never-1; 1 written; adopted; none',
    ],
    [
      'refuses the question for another reason',
      [
        { kind: 'refused', errorCode: '8' },
        { kind: 'refused', errorCode: '7' },
      ],
      ', never-1; 0 written; no-answer; none',
    ],
    ['has it', [made({ clientOrderId: 'basket-7.2r' })], '; 0 written; skipped; none'],
    ['speaks of another order', [made({ clientOrderId: 'basket-8' })], '; 0 written; no-answer; none'],
    ['does not answer', [{ kind: 'no-answer' }], '; 0 written; no-answer; none'],
  ])('is taken up before an earlier one only where the gateway has none: it %s', (_, earlier, came) => {
    const order = { ...plan.order, clientOrderId: 'basket-7.3r' }
    const answers = [made({ clientOrderId: 'basket-7.3r' }), ...earlier]
    expect(lived(paidPayment, answers, { order })).toBe(`asked basket-7.3r, basket-7.2r${came}`)
  })

  it('is taken up before an earlier one only where no account has that', () => {
    const lost = { ...plan.lost, accounts: [account, { ...account, login: 'merchant-2' }] }
    const order = { ...plan.order, clientOrderId: 'basket-7.3r' }
    const answers = [made({ clientOrderId: 'basket-7.3r' }), neverSeen, made({ clientOrderId: 'basket-7.2r' })]
    expect(lived(paidPayment, answers, { order, lost })).toBe(
      'asked basket-7.3r, basket-7.2r, basket-7.2r; 0 written; skipped; none',
    )
  })

  it('is taken up once the payment has all that came before it, and far behind them never', () => {
    const other = { ...knownOrder, clientOrderId: 'web-118', orderId: '98' }
    const second = { ...plan.order, clientOrderId: 'basket-7.2r' }
    const answers = [made({ clientOrderId: 'basket-7.2r' })]
    expect(lived(payment(knownOrder, other), answers, { order: second })).toBe(
      'asked basket-7.2r; 1 written; adopted; none',
    )
    const far = { ...plan.order, clientOrderId: 'basket-7.99r' }
    expect(lived(paidPayment, [made({ clientOrderId: 'basket-7.99r' })], { order: far })).toBe(
      'asked basket-7.99r; 0 written; skipped; none',
    )
  })

  it('is not taken up where the payment has it: what status says is kept', () => {
    const order = { ...knownOrder, clientOrderId: 'web-117', orderId: '99' }
    expect(lived(payment(order), [made()])).toBe('asked web-117; 1 written; adopted; sale approved')
  })
})

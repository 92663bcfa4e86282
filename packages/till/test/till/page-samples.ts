/** Every page of the till as it may be shown, without a payment behind it. */
import type { Answer } from '@tillkit/express-middleware/core'
import { defaultProfile } from '@tillkit/protocol'
import type { TillPage, TillPageName, TillPages } from '../../src/index.js'
import { pageAnswers } from '../../src/pages/pages.js'
import { type Payment, paymentOf } from '../../src/rules/pay/payment.js'

const base: Payment = {
  ...paymentOf(undefined, { reference: 'basket-7', at: 0, profile: defaultProfile }),
  amount: '1249.00',
  currency: 'EUR',
}

const shown: TillPage = {
  payment: base,
  back: '/orders/basket-7',
  again: undefined,
  form: undefined,
  next: undefined,
  later: false,
}
const next = { url: '/payments/payment/token?since=1', seconds: 2 }
const as = (state: Payment['state']): Payment => ({ ...base, state })

/** The pages, by what has happened. */
export const samples = {
  waiting: ['waiting', { ...shown, payment: as('open'), next }],
  open: ['waiting', { ...shown, payment: as('open'), next, form: 'https://gateway.example/form/1' }],
  declined: ['declined', { ...shown, payment: as('declined'), again: '/orders/basket-7/pay' }],
  'declined-later': ['declined', { ...shown, payment: as('declined'), again: '/orders/basket-7/pay', later: true }],
  'form-lost': ['declined', { ...shown, payment: as('unknown'), again: '/orders/basket-7/pay' }],
  problem: ['problem', { ...shown, payment: as('surplus') }],
} as const satisfies Record<string, readonly [TillPageName, TillPage]>

export type Sample = keyof typeof samples

/** Renders a sample. `changes` are of what it shows. */
export function render(sample: Sample, pages: TillPages = {}, changes: Partial<TillPage> = {}): Answer {
  const [name, page] = samples[sample]
  return pageAnswers(pages, ['https://gateway.example'])(name, { ...page, ...changes })
}

import type { PaymentDocument } from '../../src/state/document.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../src/state/known.js'
import { withFacts } from './facts-of.js'

/** A sale of order `basket-7`, reserved at 1,000 and sent until 31,000 at the latest. */
export const sale: KnownAttempt = {
  attemptId: 'a-1',
  reservation: 'r-1',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'basket-7',
  amount: '10.00',
  currency: 'EUR',
  fingerprint: 'f',
  reservedAt: 1_000,
  sendBy: 31_000,
}

/** A return of 3.00 of that order. */
export const part: KnownAttempt = {
  ...sale,
  attemptId: 'parcel-2',
  reservation: 'r-2',
  operation: 'return',
  effect: 'changes',
  stages: ['cancel', 'reversal'],
  orderId: '77',
  amount: '3.00',
}

const { amount: _amount, currency: _currency, ...withoutAmount } = part

/** A void operation of that order: of the whole. */
export const whole: KnownAttempt = { ...withoutAmount, attemptId: 'v-1', operation: 'void', stages: ['void'] }

/** An upload of a 3DS result: moves no money. */
export const upload: KnownAttempt = {
  ...withoutAmount,
  attemptId: 'u-1',
  reservation: 'r-3',
  operation: 'uploadCresResult',
  stages: [],
}

/** The sale of that order, as status showed it: under way, unless told otherwise. */
export const stage = (fields: Partial<KnownStage> = {}): KnownStage => ({
  stage: 'sale',
  status: 'processing',
  askedAt: 5_000,
  corrections: [],
  ...fields,
})

/** The first order of that payment. */
export const order = (fields: Partial<KnownOrder> = {}): KnownOrder => ({
  clientOrderId: 'basket-7',
  login: 'merchant',
  attempts: [],
  stages: [],
  ...fields,
})

/** The document of that payment. */
export const payment = (...orders: readonly KnownOrder[]): PaymentDocument =>
  withFacts({ v: 1, reference: 'basket-7', orders })

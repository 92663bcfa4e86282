/** A payment in many states, and how the intent that takes it lives through them. */
import { defaultProfile } from '@tillkit/protocol'
import { type PayPlan, type PayResult, pay } from '../../src/intents/pay.js'
import type { PaymentDocument } from '../../src/state/document.js'
import type { KnownAttempt, KnownOrder } from '../../src/state/known.js'
import { order, sale, stage } from '../state/payment-samples.js'
import { liveIntent, type Said, type Script } from './live-intent.js'

export const [second, minute] = [1_000, 60_000]
export const formUrl = 'https://gate.example/form/1'
const request = {
  attemptId: 'a-1',
  operation: 'saleForm',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  amount: '10.00',
  currency: 'EUR',
  fingerprint: 'f',
} as const

export const plan: PayPlan = {
  terms: { reference: 'basket-7', purpose: 'sale', amount: '10.00', currency: 'EUR' },
  rules: { replaceOpenForm: false, mostOrders: 10 },
  accountOf: () => ({ login: 'merchant', profile: defaultProfile }),
  profileOf: login => (login === 'merchant' ? defaultProfile : undefined),
  isReachable: () => true,
  requestFor: ({ clientOrderId }) => ({ attempt: { ...request, clientOrderId }, timeout: 30 * second }),
  lease: undefined,
  accounts: [{ login: 'merchant', baseUrl: 'https://gate.example/paynet', profile: defaultProfile }],
  operation: 'saleForm',
  madeUp: 'never-1',
}

export const form: KnownAttempt = { ...sale, operation: 'saleForm' }
export const accepted = { kind: 'accepted', orderId: '77', at: 2_000 } as const
export const opened: KnownAttempt = { ...form, end: { ...accepted, redirectUrl: formUrl } }
export const over = (outcome: 'approved' | 'declined', amount = '10.00') =>
  stage({ status: outcome, outcome, amount, currency: 'EUR', told: 1 })
export const isOpen = order({ orderId: '77', attempts: [opened] })
export const paid = order({ orderId: '77', attempts: [opened], stages: [over('approved')] })
export const declined = order({ orderId: '77', attempts: [opened], stages: [over('declined')] })
export const later = (given: KnownOrder): KnownOrder => ({ ...given, clientOrderId: 'basket-7.2r', orderId: '78' })

export const nobodySays: Said = { kind: 'no-answer' }
export const newForm = {
  kind: 'accepted',
  orderId: '79',
  at: 100_000,
  redirectUrl: 'https://gate.example/form/2',
} as const

/** Says what is done, in order, and how it ends. */
export function livedPay(
  document: PaymentDocument | undefined,
  script: Script & { readonly plan?: Partial<PayPlan> } = {},
) {
  let sending = ''
  const { amount, purpose } = script.plan?.terms ?? plan.terms
  const watched: PayPlan = {
    ...plan,
    ...script.plan,
    requestFor({ clientOrderId }) {
      sending = clientOrderId
      const attempt = { ...request, clientOrderId, stages: [purpose], ...(amount === undefined ? {} : { amount }) }
      return { attempt, timeout: 30 * second }
    },
  }
  const { effects, result } = liveIntent(pay(watched), document, { end: newForm, ...script })
  const done = effects.flatMap(each => {
    if (each.kind === 'ask') return [`asks ${each.question.clientOrderId}`]
    if (each.kind === 'write') return each.what === 'gate' ? ['decides'] : []
    return each.kind === 'request' ? [`sends ${sending}`] : each.kind === 'sleep' ? ['waits'] : []
  })
  return [...new Set(done), endingOf(result)].join(', ')
}

function endingOf(result: PayResult): string {
  switch (result.kind) {
    case 'go':
      return `go ${result.formUrl ?? 'through 3DS'}`
    case 'wait':
      return `wait ${result.clientOrderId}${result.goesOn ? ', goes on' : ''}${result.later ? ', later' : ''}`
    case 'refused':
      return result.step.kind
    case 'elsewhere':
      return `elsewhere, ${result.isKnown ? 'known' : 'gone'}`
    default:
      return result.kind
  }
}

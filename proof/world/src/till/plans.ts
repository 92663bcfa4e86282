/** The settings that the till's intents go by here: one account, and the times that a till has. */
import { defaultProfile } from '@tillkit/protocol'
import type { CallbackPlan } from '../../../../packages/till/src/intents/callback.js'
import type { ChangePlan } from '../../../../packages/till/src/intents/change.js'
import type { VisitPlan } from '../../../../packages/till/src/intents/customers/visit.js'
import type { FollowUpPlan } from '../../../../packages/till/src/intents/follow-up.js'
import type { PayPlan } from '../../../../packages/till/src/intents/pay.js'
import type { HeardCallback } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import type { ChangeTerms } from '../../../../packages/till/src/rules/pay/change-step.js'
import { currency, endpointId, gatewayUrl, login } from '../gateway/books.js'
import { type Life, reference } from '../life.js'
import { lease } from './handler.js'

const profile = defaultProfile
const profileOf = () => profile

/** How long a request may take, in milliseconds. */
export const timeout = 30_000

/** Most orders of a payment. */
export const mostOrders = 5

/** Minor units, as a request has them. */
export const textOf = (minor: number): string => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

/** The part that a change is of; nothing: it is of the whole. */
export const partOf = (
  { tenths, key }: { readonly tenths?: number | undefined; readonly key?: string | undefined },
  amount: number,
) =>
  tenths === undefined ? {} : { part: { amount: textOf((amount / 10) * tenths), key: `${key ?? 'part'}-${tenths}` } }

/** A payment that is asked for. */
export function payPlan({ plan }: Life, press: number): PayPlan {
  const { purpose, amount: minor, replaceOpenForm } = plan.manners
  const amount = textOf(minor)
  const operation = `${purpose}Form`
  return {
    terms: { reference, purpose, amount, currency },
    rules: { replaceOpenForm, mostOrders },
    accountOf: () => ({ login, profile }),
    profileOf,
    isReachable: () => true,
    requestFor: ({ clientOrderId }) => ({
      attempt: {
        clientOrderId,
        login,
        attemptId: clientOrderId,
        operation,
        effect: 'creates',
        stages: [purpose],
        baseUrl: gatewayUrl,
        endpointId,
        amount,
        currency,
        fingerprint: `of ${amount}`,
      },
      timeout,
    }),
    lease,
    accounts: [{ login, baseUrl: gatewayUrl, profile }],
    operation,
    madeUp: `never-${press}`,
  }
}

const stages = { return: ['cancel', 'reversal'], capture: ['capture'], void: ['void'] } as const

/** A change that is asked for. */
export const changePlan = (life: Life, terms: ChangeTerms): ChangePlan => ({
  terms,
  profile,
  profileOf,
  requestFor({ clientOrderId, orderId }, { amount, attemptId }) {
    const { name } = terms
    const ofPart = amount === undefined ? {} : { amount, currency }
    return {
      attempt: {
        clientOrderId,
        orderId,
        login,
        attemptId: attemptId ?? `${name}-by-${life.runs}`,
        operation: name,
        effect: 'changes',
        stages: stages[name],
        baseUrl: gatewayUrl,
        endpointId,
        fingerprint: `${name} ${amount}`,
        ...ofPart,
      },
      timeout,
    }
  },
})

/** Follow-ups that are carried out. */
export const followUpPlan = (life: Life): FollowUpPlan => ({
  profile,
  profileOf,
  changeFor: ({ name, part, clientOrderId, before }) => changePlan(life, { name, part, clientOrderId, before }),
})

/** A customer who comes back. */
export const visitPlan = (clientOrderId: string): VisitPlan => ({
  about: { clientOrderId, login },
  profile,
  lease,
  attempts: 8,
  interval: 2_000,
})

/** An order that callbacks came for, or that the background looks after. */
export const callbackPlan = (
  { clientOrderId, orderId }: { readonly clientOrderId: string; readonly orderId: string },
  callbacks: readonly HeardCallback[],
): CallbackPlan => {
  const lost = { rules: { mostOrders }, accounts: [{ login, baseUrl: gatewayUrl, profile }], madeUp: 'never-0' }
  return {
    about: { clientOrderId, login },
    orderId,
    callbacks,
    profile,
    lease,
    ...(callbacks.length > 0 ? {} : { lost }),
  }
}

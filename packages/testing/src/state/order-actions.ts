import type { FinalOutcome } from '@tillkit/protocol'
import type { FaultAt, FaultName } from '../faults/fault-table.js'
import {
  addStage,
  hasEnded,
  latestStage,
  type Order,
  readAmount,
  type Stage,
  stageOutcome,
  type Verdict,
} from '../orders/order.js'
import { approved } from '../orders/outcomes.js'
import { allowUnasked, changeWish } from '../orders/rules.js'
import { RefusedRequest } from '../replies/refusal.js'
import type { GatewayState } from './gateway-state.js'
import { decideStage, keep, newStage, type OrderStage } from './order-changes.js'

/** One action. */
export interface OrderActionRow {
  /** What it does, in one sentence. */
  readonly does: string
  /** What it takes besides the order, and what each means. All of it may be left out but what is listed in `needs`. */
  readonly takes: Readonly<Record<string, string>>
  readonly needs: readonly string[]
}

const reasons = {
  errorCode: 'Code of the refusal. Default: 100.',
  errorMessage: 'Why, in the words of the acquirer. Default: Decline.',
} as const

/** Every action by its name. */
export const orderActions = {
  approve: { does: 'Ends the stage that is open as approved.', takes: {}, needs: [] },
  decline: { does: 'Ends the stage that is open as declined.', takes: reasons, needs: [] },
  'end-form': {
    does: 'Ends the hosted form of an order that is open, as its lifetime does: nobody can pay there any more.',
    takes: {},
    needs: [],
  },
  correct: {
    does: 'Changes the final word of the latest stage, as a reconciliation does, and calls back about it.',
    takes: { status: 'The outcome: approved, declined, filtered or error.', ...reasons },
    needs: ['status'],
  },
  reverse: {
    does: 'Gives money back without a request of the merchant; only notify_url hears of it.',
    takes: { amount: 'Major units. Default: all that is left.' },
    needs: [],
  },
  'charge-back': {
    does: "Takes money back on behalf of the cardholder's bank; only notify_url hears of it.",
    takes: { amount: 'Major units. Default: all that is left.' },
    needs: [],
  },
} as const satisfies Readonly<Record<string, OrderActionRow>>

/** Name of an action. */
export type OrderActionName = keyof typeof orderActions

/** An action to carry out on an order. */
export interface OrderAction {
  readonly action: OrderActionName
  /** The gateway's id of the order. */
  readonly orderId: string
  /** What `correct` changes the outcome to. */
  readonly status?: FinalOutcome
  /** Major units, for `reverse` and `charge-back`. Default: all that is left. */
  readonly amount?: string
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** An action that cannot be carried out. Its message says why. */
export class ImpossibleActionError extends Error {
  override readonly name = 'ImpossibleActionError'
  readonly code = 'ERR_IMPOSSIBLE_ACTION'
}

export function allowedActions(order: Order, gateway: GatewayState): readonly OrderActionName[] {
  const { orderId } = order
  return (Object.keys(orderActions) as OrderActionName[]).filter(action => {
    try {
      actors[action]({ order, gateway, wish: { action, orderId, status: 'error', errorCode: '100' } })
      return true
    } catch (error) {
      if (error instanceof ImpossibleActionError) return false
      throw error
    }
  })
}

/**
 * Carries an action out, and announces what came of it to the callback sender.
 *
 * @param fault What does it, where no person or test does.
 * @throws {@link ImpossibleActionError} when the order does not allow it.
 */
export function act(wish: OrderAction, gateway: GatewayState, fault?: FaultName): Order {
  if (!Object.hasOwn(orderActions, wish.action)) {
    impossible(`There is no action "${String(wish.action)}". There are: ${Object.keys(orderActions).join(', ')}.`)
  }
  const order = gateway.orders.byOrderId(wish.orderId)
  if (order === undefined) impossible(`There is no order "${wish.orderId}".`)
  const { action, orderId } = wish
  const was = action === 'correct' ? { was: stageOutcome(latestStage(order), gateway.clock.now()) } : {}
  const acted = actors[action]({ order, gateway, wish })()
  gateway.journal.add(orderId, { kind: 'action', action, ...was, ...(fault === undefined ? {} : { fault }) })
  return action === 'approve' || action === 'decline' ? strikeUnasked(acted, gateway) : acted
}

function impossible(message: string): never {
  throw new ImpossibleActionError(message)
}

interface Acting {
  readonly order: Order
  readonly gateway: GatewayState
  readonly wish: OrderAction
}

/** Checks first and changes only when it is called, so that asking what is allowed uses up no identifier. */
type Change = () => Order

const actors: { readonly [Name in OrderActionName]: (acting: Acting) => Change } = {
  approve: acting => settle(acting, approved),
  decline: acting => settle(acting, refusal(acting.wish, 'declined')),
  'end-form': endForm,
  correct,
  reverse: acting => append(acting, 'reversal'),
  'charge-back': acting => append(acting, 'chargeback'),
}

function refusal({ errorCode = '100', errorMessage = 'Decline' }: OrderAction, outcome: Verdict['outcome']): Verdict {
  return { outcome, errorCode, errorMessage }
}

function settle({ order, gateway }: Acting, verdict: Verdict): Change {
  const before = latestStage(order)
  if (hasEnded(before, gateway.clock.now())) {
    impossible(`The ${before.stage} of order "${order.orderId}" has ended. Use "correct" to change how.`)
  }
  return () => decideNow({ order, stage: before }, verdict, gateway)
}

function endForm({ order, gateway }: Acting): Change {
  const form = order.stages[0].verdict === undefined ? gateway.orders.formOf(order.orderId) : undefined
  const now = gateway.clock.now()
  if (form === undefined || form.step === 'done')
    impossible(`No hosted form of order "${order.orderId}" waits for a customer.`)
  if (now >= form.endsAt) impossible(`The hosted form of order "${order.orderId}" has ended already.`)
  return () => {
    gateway.orders.putForm({ ...form, endsAt: now })
    return order
  }
}

function correct({ order, gateway, wish }: Acting): Change {
  const before = latestStage(order)
  const { status } = wish
  if (status === undefined || !['approved', 'declined', 'filtered', 'error'].includes(status)) {
    impossible('"status" must be approved, declined, filtered or error.')
  }
  if (!hasEnded(before, gateway.clock.now())) {
    impossible(`The ${before.stage} of order "${order.orderId}" has not ended. Use "approve" or "decline".`)
  }
  if (before.verdict?.outcome === status && wish.errorCode === undefined) {
    impossible(`The ${before.stage} of order "${order.orderId}" is ${status} already.`)
  }
  const verdict = status === 'approved' ? approved : refusal(wish, status)
  return () => decideNow({ order, stage: before }, verdict, gateway)
}

function decideNow(decided: OrderStage, verdict: Verdict, gateway: GatewayState): Order {
  const { threeDSecure } = decided.stage
  const done = threeDSecure && ({ ...threeDSecure, step: 'done' } as const)
  return decideStage(decided, verdict, gateway, { finalAt: gateway.clock.now(), threeDSecure: done })
}

function append({ order, gateway, wish }: Acting, action: 'reversal' | 'chargeback'): Change {
  const { stage, amount } = allowed(() => {
    const { amount: text } = wish
    const { currency } = order
    const asked = text === undefined ? undefined : readAmount({ amount: text, currency }, gateway.settings).amount
    return allowUnasked(changeWish(order, asked, gateway), action)
  })
  return () => {
    const serialNumber = gateway.ids.serialNumber()
    const begun = newStage({ stage, amount, verdict: approved, serialNumber, operation: undefined }, gateway)
    const added: Stage = { ...begun, finalAt: gateway.clock.now() }
    return keep({ order: addStage(order, added), stage: added }, gateway)
  }
}

/** The rules refuse requests. An action is no request, so what they throw becomes an {@link ImpossibleActionError}. */
function allowed<Value>(check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (error instanceof RefusedRequest) impossible(error.message)
    throw error
  }
}

const actionOfFault: { readonly [Name in FaultAt<'order'>]: OrderActionName } = {
  'corrected-later': 'correct',
  'reversed-later': 'reverse',
  'charged-back-later': 'charge-back',
}

/** Stages that leave money with the merchant, which can be taken back. */
const captured: readonly string[] = ['sale', 'capture']

/**
 * Plans what a fault makes of an order whose stage was just decided: on the clock, once that stage has ended.
 *
 * @returns The fault that struck.
 */
export function strikeOrder({ order, stage }: OrderStage, gateway: GatewayState): FaultName | undefined {
  const { faults, schedule, clock, callbackSender } = gateway
  const { finalAt, verdict, operation } = stage
  if (finalAt === undefined || verdict === undefined || verdict.outcome === 'unknown') return undefined
  const fits = (fault: FaultAt<'order'>) =>
    fault === 'corrected-later' || (verdict.outcome === 'approved' && captured.includes(stage.stage))
  const struck = faults.strike({ at: 'order', operation, fits })
  if (struck === undefined) return undefined
  const { fault, delay } = struck
  const { orderId } = order
  const status = struck.status as FinalOutcome
  schedule.add(Math.max(finalAt, clock.now()) + delay, () => {
    try {
      act({ action: actionOfFault[fault], orderId, ...(fault === 'corrected-later' ? { status } : {}) }, gateway, fault)
    } catch (error) {
      // In the meantime the merchant returned it all, or the order was corrected by hand: there is nothing left to do.
      if (!(error instanceof ImpossibleActionError)) throw error
    }
    return callbackSender.flush()
  })
  return fault
}

/** Strikes an order that no request decided, but a page, a person or the clock. The order's journal tells of it. */
export function strikeUnasked(order: Order, gateway: GatewayState): Order {
  const fault = strikeOrder({ order, stage: latestStage(order) }, gateway)
  if (fault !== undefined) gateway.journal.add(order.orderId, { kind: 'fault', fault })
  return order
}

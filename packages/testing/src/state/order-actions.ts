import type { FinalOutcome } from '@tillkit/protocol'
import type { FaultAt, FaultName } from '../faults/fault-table.js'
import { latestStage, type Order, replaceStage, type Stage, stageOutcome } from '../orders/order.js'
import { approved } from '../orders/outcomes.js'
import {
  type ActionPlan,
  carryOut,
  correctedStage,
  allowedActions as gatewayAllows,
  ImpossibleActionError,
  impossible,
  type OrderAction,
  type OrderActionName,
  orderActions,
  planAction,
} from '../rules/actions.js'
import type { OrderStage } from '../rules/stages.js'
import type { GatewayState } from './gateway-state.js'
import { keep, marksFor } from './order-changes.js'

const acting = (order: Order, { clock, orders, settings }: GatewayState) => ({
  order,
  now: clock.now(),
  form: orders.formOf(order.orderId),
  profile: settings.profile,
})

export const allowedActions = (order: Order, gateway: GatewayState): readonly OrderActionName[] =>
  gatewayAllows(acting(order, gateway))

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
  const plan = planAction({ ...acting(order, gateway), wish })
  const acted = carry(order, plan, gateway)
  gateway.journal.add(orderId, {
    kind: 'action',
    action,
    ...(action === 'correct' ? corrected(correctedStage(order, wish), gateway) : {}),
    ...(plan.kind === 'add' && plan.toldApartBy !== 'serial-number' ? { toldApartBy: plan.toldApartBy } : {}),
    ...(fault === undefined ? {} : { fault }),
  })
  return action === 'approve' || action === 'decline' ? strikeUnasked(acted, gateway) : acted
}

const corrected = (before: Stage, { clock }: GatewayState) => ({
  stage: before.stage,
  was: stageOutcome(before, clock.now()),
})

function carry(order: Order, plan: ActionPlan, gateway: GatewayState): Order {
  if (plan.kind === 'end-form') {
    gateway.orders.putForm(plan.form)
    return order
  }
  const serialNumber = plan.kind === 'add' ? gateway.ids.serialNumber() : ''
  const now = gateway.clock.now()
  const marks = marksFor(plan.kind === 'add' ? approved : plan.verdict, gateway)
  return keep(carryOut(order, plan, { ...marks, finalAt: now, serialNumber, now }), gateway)
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
  const isApproved = verdict.outcome === 'approved'
  const fitting: { readonly [Name in FaultAt<'order'>]: boolean } = {
    'corrected-later': true,
    'amount-later': isApproved && stage.amount !== undefined,
    'reversed-later': isApproved && captured.includes(stage.stage),
    'charged-back-later': isApproved && captured.includes(stage.stage),
  }
  const struck = faults.strike({ at: 'order', operation, fits: fault => fitting[fault] })
  if (struck === undefined) return undefined
  const { fault, delay } = struck
  const { orderId } = order
  const at = Math.max(finalAt, clock.now()) + delay
  if (fault === 'amount-later') {
    gateway.orders.put(replaceStage(order, { before: stage, after: { ...stage, amountShownAt: at } }))
    return fault
  }
  const wish = wishOf[fault]({ status: struck.status as FinalOutcome, stage: order.stages.indexOf(stage) + 1 })
  schedule.add(at, () => {
    try {
      act({ ...wish, orderId }, gateway, fault)
    } catch (error) {
      // In the meantime the merchant returned it all, or the order was corrected by hand: there is nothing left to do.
      if (!(error instanceof ImpossibleActionError)) throw error
    }
    return callbackSender.flush()
  })
  return fault
}

type Correction = Required<Pick<OrderAction, 'status' | 'stage'>>

const wishOf: {
  readonly [Name in Exclude<FaultAt<'order'>, 'amount-later'>]: (correction: Correction) => Omit<OrderAction, 'orderId'>
} = {
  'corrected-later': correction => ({ action: 'correct', ...correction }),
  'reversed-later': () => ({ action: 'reverse' }),
  'charged-back-later': () => ({ action: 'charge-back' }),
}

/** Strikes an order that no request decided, but a page, a person or the clock. The order's journal tells of it. */
export function strikeUnasked(order: Order, gateway: GatewayState): Order {
  const fault = strikeOrder({ order, stage: latestStage(order) }, gateway)
  if (fault === undefined) return order
  gateway.journal.add(order.orderId, { kind: 'fault', fault })
  return gateway.orders.byOrderId(order.orderId) ?? order
}

/**
 * What the gateway's own people, the cardholder's bank and a reconciliation do to an order. Pure: an order and a wish go in, and
 * what is to be done comes back; carried out, it gives the order as it is afterwards.
 *
 * @module
 */
import type { FinalOutcome, StageName, WireProfile } from '@tillkit/protocol'
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
import type { HostedForm } from '../orders/order-book.js'
import { approved } from '../orders/outcomes.js'
import { RefusedRequest } from '../replies/refusal.js'
import { allowUnasked, changeWish } from './changes.js'
import { beginStage, decide, type Marks, type OrderStage } from './stages.js'

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

const movement = {
  amount: 'Major units. Default: all that is left.',
  toldApartBy:
    'What tells it apart from an equal one: serial-number (status by that number finds it; it has codes as well), codes (an RRN and ' +
    'an approval code alone) or nothing. Default: serial-number.',
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
    does: 'Changes the final word of a stage, as a reconciliation does, and calls back about it.',
    takes: {
      status: 'The outcome: approved, declined, filtered or error.',
      stage: 'Which stage, 1 for the first. Default: the latest.',
      ...reasons,
    },
    needs: ['status'],
  },
  reverse: {
    does: 'Gives money back, or releases a hold, without a request of the merchant; only notify_url hears of it.',
    takes: movement,
    needs: [],
  },
  'charge-back': {
    does: "Takes money back on behalf of the cardholder's bank; only notify_url hears of it.",
    takes: movement,
    needs: [],
  },
} as const satisfies Readonly<Record<string, OrderActionRow>>

/** Name of an action. */
export type OrderActionName = keyof typeof orderActions

/** What tells a movement of money apart from an equal one. */
export type ToldApartBy = (typeof tellingApart)[number]

export const tellingApart = ['serial-number', 'codes', 'nothing'] as const

/** An action to carry out on an order. */
export interface OrderAction {
  readonly action: OrderActionName
  /** The gateway's id of the order. */
  readonly orderId: string
  /** What `correct` changes the outcome to. */
  readonly status?: FinalOutcome
  /** Which stage `correct` changes, 1 for the first. Default: the latest. */
  readonly stage?: number
  /** Major units, for `reverse` and `charge-back`. Default: all that is left. */
  readonly amount?: string
  /**
   * What tells a `reverse` or `charge-back` apart from an equal one. `serial-number`: status by that number finds it, and it has codes
   * as well. `codes`: an RRN and an approval code alone. `nothing`: status shows neither. Default: `serial-number`.
   */
  readonly toldApartBy?: ToldApartBy
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** An action that cannot be carried out. Its message says why. */
export class ImpossibleActionError extends Error {
  override readonly name = 'ImpossibleActionError'
  readonly code = 'ERR_IMPOSSIBLE_ACTION'
}

export function impossible(message: string): never {
  throw new ImpossibleActionError(message)
}

/** What an action comes to. */
export type ActionPlan = StagePlan | { readonly kind: 'end-form'; readonly form: HostedForm }

/** What an action does to a stage. */
export type StagePlan =
  | { readonly kind: 'decide'; readonly stage: Stage; readonly verdict: Verdict }
  | {
      readonly kind: 'add'
      readonly stage: StageName
      readonly amount: bigint
      readonly toldApartBy: ToldApartBy
    }

/** An action, and what it is decided by. */
export interface Acting {
  readonly order: Order
  readonly wish: OrderAction
  readonly now: number
  /** Its hosted form, where it has one. */
  readonly form: HostedForm | undefined
  readonly profile: WireProfile
}

/** @throws {@link ImpossibleActionError} when the order does not allow it. */
export const planAction = (acting: Acting): ActionPlan => planners[acting.wish.action](acting)

/** What may be done to an order now. */
export const allowedActions = (acting: Omit<Acting, 'wish'>): readonly OrderActionName[] =>
  (Object.keys(orderActions) as OrderActionName[]).filter(action => {
    const { orderId } = acting.order
    try {
      planAction({ ...acting, wish: { action, orderId, status: 'error', errorCode: '100' } })
      return true
    } catch (error) {
      if (error instanceof ImpossibleActionError) return false
      throw error
    }
  })

/** @param marks What the gateway gives out: `nothing` tells a movement apart by none of it. */
export function carryOut(
  order: Order,
  plan: StagePlan,
  { serialNumber, now, ...marks }: Marks & { readonly serialNumber: string; readonly now: number },
): OrderStage {
  if (plan.kind === 'decide') return decide({ order, stage: plan.stage }, { verdict: plan.verdict, ...marks })
  const { stage: name, amount, toldApartBy } = plan
  const { finalAt } = marks
  const stage = beginStage(
    {
      stage: name,
      amount,
      operation: undefined,
      verdict: approved,
      serialNumber: toldApartBy === 'serial-number' ? serialNumber : undefined,
      now,
    },
    toldApartBy === 'nothing' ? { finalAt, rrn: undefined, approvalCode: undefined } : marks,
  )
  return { order: addStage(order, stage), stage }
}

const planners: { readonly [Name in OrderActionName]: (acting: Acting) => ActionPlan } = {
  approve: acting => settle(acting, approved),
  decline: acting => settle(acting, refusal(acting.wish, 'declined')),
  'end-form': endForm,
  correct,
  reverse: acting => takeBack(acting, 'reversal'),
  'charge-back': acting => takeBack(acting, 'chargeback'),
}

function refusal({ errorCode = '100', errorMessage = 'Decline' }: OrderAction, outcome: Verdict['outcome']): Verdict {
  return { outcome, errorCode, errorMessage }
}

function settle({ order, now }: Acting, verdict: Verdict): ActionPlan {
  const stage = latestStage(order)
  if (hasEnded(stage, now)) {
    impossible(`The ${stage.stage} of order "${order.orderId}" has ended. Use "correct" to change how.`)
  }
  return { kind: 'decide', stage, verdict }
}

function endForm({ order, now, form }: Acting): ActionPlan {
  const isOpen = order.stages[0].verdict === undefined && form !== undefined && form.step !== 'done'
  if (!isOpen) impossible(`No hosted form of order "${order.orderId}" waits for a customer.`)
  if (now >= form.endsAt) impossible(`The hosted form of order "${order.orderId}" has ended already.`)
  return { kind: 'end-form', form: { ...form, endsAt: now } }
}

function correct({ order, wish, now }: Acting): ActionPlan {
  const stage = correctedStage(order, wish)
  const { status } = wish
  if (status === undefined || !['approved', 'declined', 'filtered', 'error'].includes(status)) {
    impossible('"status" must be approved, declined, filtered or error.')
  }
  if (!hasEnded(stage, now)) {
    impossible(`The ${stage.stage} of order "${order.orderId}" has not ended. Use "approve" or "decline".`)
  }
  if (stageOutcome(stage, now) === status && wish.errorCode === undefined) {
    impossible(`The ${stage.stage} of order "${order.orderId}" is ${status} already.`)
  }
  return { kind: 'decide', stage, verdict: status === 'approved' ? approved : refusal(wish, status) }
}

/** The stage whose word a correction changes. @throws {@link ImpossibleActionError} when the order has none of that number. */
export function correctedStage(order: Order, { stage = order.stages.length }: Pick<OrderAction, 'stage'>): Stage {
  const { orderId, stages } = order
  return (
    stages[stage - 1] ?? impossible(`Order "${orderId}" has ${stages.length} stages, and none has number ${stage}.`)
  )
}

function takeBack({ order, wish, now, profile }: Acting, action: 'reversal' | 'chargeback'): ActionPlan {
  const { amount: text, toldApartBy = 'serial-number' } = wish
  const { currency } = order
  if (!tellingApart.includes(toldApartBy)) {
    impossible(`"toldApartBy" is "${String(toldApartBy)}"; it must be ${tellingApart.join(', ')}.`)
  }
  const { stage, amount } = allowed(() => {
    // The only currency of an endpoint is asked of requests: an order has its own.
    const taken = { profile, currency: undefined }
    const asked = text === undefined ? undefined : readAmount({ amount: text, currency }, taken).amount
    return allowUnasked(changeWish(order, asked, { now, profile }), action)
  })
  return { kind: 'add', stage, amount, toldApartBy }
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

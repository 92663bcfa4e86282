import type { StageName } from '@tillkit/protocol'
import type { StoredCard } from '../orders/card.js'
import { type Order, type Stage, stageAmount, stageOutcome } from '../orders/order.js'
import type { OrderActionName } from '../rules/actions.js'
import { statusWord } from '../rules/status.js'
import type { GatewayState } from './gateway-state.js'
import { allowedActions } from './order-actions.js'

/** One thing that happened to an order's money, as the gateway tells it now. */
export interface StageView {
  readonly stage: StageName
  /** Name of the operation that began it; undefined for what no request asked for, such as a chargeback. */
  readonly operation?: string
  /** Serial numbers of the requests about it; the first one started it. Empty where nobody can ask for it by number. */
  readonly serialNumbers: readonly string[]
  /** The word that status answers. */
  readonly status: string
  /** Whether it has ended. */
  readonly final: boolean
  /** Major units. */
  readonly amount?: string
  /** Until then status and callbacks show no amount, in milliseconds since the epoch. Absent where they always do. */
  readonly amountShownAt?: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** When it ends or ended, in milliseconds since the epoch. Absent while nothing is decided. */
  readonly finalAt?: number
  readonly errorCode?: string
  readonly errorMessage?: string
  readonly comment?: string
  /** The 3DS step it waits for, or `done`. */
  readonly threeDSecure?: string
}

/** An order as it stands. Of a card it holds the first six and last four digits. */
export interface OrderView {
  readonly orderId: string
  readonly clientOrderId: string
  readonly login: string
  /** The endpoint that took it; the group where the merchant has no endpoint or the profile's replies name the group. */
  readonly endpointId: string
  readonly currency?: string
  readonly description?: string
  readonly email?: string
  readonly card?: { readonly bin: string; readonly lastFourDigits: string; readonly brand: string }
  /** Where callbacks about the first transaction go. */
  readonly callbackUrl?: string
  /** Where callbacks about every transaction go, in its place. */
  readonly notifyUrl?: string
  readonly redirectUrl?: string
  /** When its hosted form ends or ended unpaid, in milliseconds since the epoch. Absent where it has none, or one without end. */
  readonly formEndsAt?: number
  /** Oldest first. */
  readonly stages: readonly StageView[]
  /** What may be done to it now. */
  readonly actions: readonly OrderActionName[]
}

export function orderView(order: Order, gateway: GatewayState): OrderView {
  const { card, currency, description, email, serverCallbackUrl: callbackUrl, notifyUrl, redirectUrl } = order
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    login: order.login,
    endpointId: order.endpointId,
    ...present({ currency, description, email, card: card && cardView(card), callbackUrl, notifyUrl, redirectUrl }),
    ...present({ formEndsAt: formEndsAt(order, gateway) }),
    stages: order.stages.map(stage => stageView(order, stage, gateway)),
    actions: allowedActions(order, gateway),
  }
}

function formEndsAt({ orderId, stages }: Order, { orders }: GatewayState): number | undefined {
  const form = stages[0].verdict === undefined ? orders.formOf(orderId) : undefined
  return form !== undefined && Number.isFinite(form.endsAt) ? form.endsAt : undefined
}

function stageView(order: Order, stage: Stage, { settings, clock }: GatewayState): StageView {
  const now = clock.now()
  const { operation, finalAt, verdict, comment, threeDSecure, amountShownAt } = stage
  const amount = stageAmount(order, stage, settings.profile)
  const outcome = stageOutcome(stage, now)
  const { errorCode, errorMessage } = (outcome === 'processing' ? undefined : verdict) ?? {}
  return {
    stage: stage.stage,
    serialNumbers: stage.serialNumbers,
    status: statusWord(stage, { profile: settings.profile, now }),
    final: outcome !== 'processing' && outcome !== 'unknown',
    createdAt: stage.createdAt,
    ...present({ operation, amount, amountShownAt, finalAt, errorCode, errorMessage, comment }),
    ...present({ threeDSecure: threeDSecure?.step }),
  }
}

const cardView = ({ bin, lastFourDigits, brand }: StoredCard) => ({ bin, lastFourDigits, brand })

type Present<Fields> = { readonly [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }

/** The fields that have a value. */
const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>

/** The orders of a gateway. */
export interface GatewayOrders {
  /** Every order, oldest first. */
  list(): readonly OrderView[]
  /** Finds an order by the gateway's id or by the merchant's. */
  find(id: string): OrderView | undefined
}

export function createGatewayOrders(state: GatewayState): GatewayOrders {
  return {
    list: () => state.orders.orders().map(order => orderView(order, state)),
    find(id) {
      const order = state.orders.byOrderId(id) ?? state.orders.byClientOrderId(id)
      return order === undefined ? undefined : orderView(order, state)
    },
  }
}

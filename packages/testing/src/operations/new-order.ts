/**
 * New orders.
 *
 * @module
 */
import type { StageName } from '@tillkit/protocol'
import type { StoredCard } from '../card.js'
import type { AcceptedCall } from '../check-request.js'
import type { GatewayState } from '../gateway-state.js'
import { refuse } from '../refusal.js'
import type { Verdict } from '../sandbox-outcome.js'
import type { Order, Stage, ThreeDSecure } from '../transactions.js'

/** What a new order begins with. */
export interface NewOrder {
  readonly stage: StageName
  /** Minor units. */
  readonly amount?: bigint
  readonly currency?: string
  readonly card?: StoredCard
  readonly destinationCard?: StoredCard
  /** Undefined while the customer has something to do. */
  readonly verdict?: Verdict
  readonly threeDSecure?: ThreeDSecure
}

/**
 * Refuses a merchant's order id that was used before: it creates nothing.
 *
 * @throws {@link RefusedRequest} for a repeated one.
 */
export function checkNewOrderId({ fields }: AcceptedCall, { orders }: GatewayState): string {
  const { clientOrderId = '' } = fields
  if (orders.isTaken(clientOrderId)) {
    refuse('repeated-order', `The merchant order id "${clientOrderId}" was used before. Nothing was created.`)
  }
  return clientOrderId
}

/** Creates an order, keeps it, and announces its outcome if that is decided. */
export function createOrder(call: AcceptedCall, begin: NewOrder, state: GatewayState): Order {
  const { fields } = call
  const clientOrderId = checkNewOrderId(call, state)
  const { stage, amount, verdict, threeDSecure, ...rest } = begin
  const first = newStage({ stage, amount, verdict, threeDSecure, serialNumber: call.serialNumber }, state)
  const order: Order = {
    orderId: state.ids.orderId(),
    clientOrderId,
    endpointId: call.endpointId,
    currency: undefined,
    ...rest,
    ...given({
      description: fields.orderDesc,
      email: fields.email,
      phone: fields.phone,
      merchantData: fields.merchantData,
      redirectUrl: fields.redirectUrl,
      serverCallbackUrl: fields.serverCallbackUrl,
      notifyUrl: fields.notifyUrl,
    }),
    stages: [first],
  }
  state.orders.put(order)
  state.courier.announce(order, first)
  return order
}

/** What a new stage begins with. */
export interface NewStage {
  readonly stage: StageName
  readonly amount: bigint | undefined
  readonly verdict: Verdict | undefined
  readonly threeDSecure?: ThreeDSecure | undefined
  readonly comment?: string | undefined
  readonly serialNumber: string
}

/** Makes a stage. With a verdict it is final once the processing time is over. */
export function newStage(begin: NewStage, state: GatewayState): Stage {
  const { verdict, threeDSecure, comment } = begin
  const stage: Stage = {
    stage: begin.stage,
    serialNumbers: [begin.serialNumber],
    amount: begin.amount,
    createdAt: state.clock.now(),
    ...given({ threeDSecure, comment }),
  }
  return verdict === undefined ? stage : decideStage(stage, verdict, state)
}

/** Gives a stage its verdict, known once the processing time is over. */
export const decideStage = (stage: Stage, verdict: Verdict, { clock, settings, ids }: GatewayState): Stage => ({
  ...stage,
  verdict,
  finalAt: clock.now() + settings.processingTime,
  rrn: ids.rrn(),
  ...(verdict.outcome === 'approved' ? { approvalCode: ids.approvalCode() } : {}),
})

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** Leaves out what is undefined. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>
}

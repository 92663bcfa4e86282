/**
 * The stage that an id of the 3DS server belongs to.
 *
 * @module
 */
import type { GatewayState } from '../../fake/gateway-state.js'
import type { Order, Stage, ThreeDSecure } from '../../orders/transactions.js'

/** A stage with 3DS, and its order. */
export interface ThreeDSecureStage {
  readonly order: Order
  readonly stage: Stage
  readonly threeDSecure: ThreeDSecure
}

/** Finds it, the latest order first. */
export function findThreeDSecureStage(
  serverTransId: string,
  { orders }: Pick<GatewayState, 'orders'>,
): ThreeDSecureStage | undefined {
  const isIt = (stage: Stage): boolean => stage.threeDSecure?.serverTransId === serverTransId
  const order = orders.orders().findLast(({ stages }) => stages.some(isIt))
  const stage = order?.stages.find(isIt)
  const threeDSecure = stage?.threeDSecure
  return order === undefined || stage === undefined || threeDSecure === undefined
    ? undefined
    : { order, stage, threeDSecure }
}

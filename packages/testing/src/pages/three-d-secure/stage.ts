import type { WrittenAnswer } from '../../http/message.js'
import type { Order, Stage, ThreeDSecure } from '../../orders/order.js'
import { approved, notAuthenticated } from '../../orders/outcomes.js'
import type { OrderStage } from '../../rules/stages.js'
import type { GatewayState } from '../../state/gateway-state.js'
import { decideStage } from '../../state/order-changes.js'
import type { Typed } from '../field.js'

export interface ThreeDSecureStage extends OrderStage {
  readonly threeDSecure: ThreeDSecure
}

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

/** @param serialNumbers Of the request that ended it; none where a page did. */
export function endThreeDSecure(
  { order, stage, threeDSecure }: ThreeDSecureStage,
  { passed, gateway }: { readonly passed: boolean; readonly gateway: GatewayState },
  ...serialNumbers: readonly string[]
): Order {
  const also: Partial<Stage> = {
    serialNumbers: [...stage.serialNumbers, ...serialNumbers],
    threeDSecure: { ...threeDSecure, step: 'done', verified: passed ? 'AUTHENTICATED' : 'NOT_AUTHENTICATED' },
  }
  return decideStage({ order, stage }, passed ? approved : notAuthenticated, gateway, also)
}

/** Answers a browser at a page of 3DS. What was typed is undefined for GET. */
export type ThreeDSecurePage = (
  turn: ThreeDSecureStage & { readonly typed: Typed | undefined; readonly gateway: GatewayState },
) => WrittenAnswer

import type { GatewayState } from '../../fake/gateway-state.js'
import type { GatewayAnswer } from '../../http/gateway-message.js'
import { decision } from '../../operations/new-order.js'
import { approved, declined } from '../../orders/sandbox-outcome.js'
import { type Order, replaceStage, type Stage, type ThreeDSecure } from '../../orders/transactions.js'
import type { Typed } from '../field.js'

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

/** Outcome when the cardholder did not prove who they are. */
export const notAuthenticated = declined('300', 'Decline, 3DS authentication failed')

/** How 3DS ended. */
export interface ThreeDSecureEnd {
  readonly passed: boolean
  /** Of the request that ended it, if one did. */
  readonly serialNumber?: string
  readonly gateway: GatewayState
}

/** Decides the stage, keeps it and announces it. @returns The order as it is afterwards. */
export function endThreeDSecure(
  { order, stage, threeDSecure }: ThreeDSecureStage,
  { passed, serialNumber, gateway }: ThreeDSecureEnd,
): Order {
  const after: Stage = {
    ...stage,
    ...decision(passed ? approved : notAuthenticated, gateway),
    serialNumbers: serialNumber === undefined ? stage.serialNumbers : [...stage.serialNumbers, serialNumber],
    threeDSecure: { ...threeDSecure, step: 'done', verified: passed ? 'AUTHENTICATED' : 'NOT_AUTHENTICATED' },
  }
  const changed = replaceStage(order, { before: stage, after })
  gateway.orders.put(changed)
  gateway.callbackSender.announce(changed, after)
  return changed
}

/** A browser at a page of 3DS. */
export interface PageTurn extends ThreeDSecureStage {
  /** What was posted; undefined for GET. */
  readonly typed: Typed | undefined
  readonly gateway: GatewayState
}

/** Answers a browser. */
export type ThreeDSecurePage = (turn: PageTurn) => GatewayAnswer

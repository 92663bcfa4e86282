/**
 * The end of 3DS: what becomes of a stage once the customer did or did not prove who they are.
 *
 * @module
 */
import type { GatewayState } from '../../fake/gateway-state.js'
import { decision } from '../../operations/new-order.js'
import { approved, declined } from '../../orders/sandbox-outcome.js'
import { type Order, replaceStage, type Stage } from '../../orders/transactions.js'
import type { ThreeDSecureStage } from './find-stage.js'

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
  gateway.courier.announce(changed, after)
  return changed
}

/**
 * The status operation.
 *
 * @module
 */
import { refuse } from '../refusal.js'
import { statusReply } from '../status-reply.js'
import { latestStage, type Order, type Stage } from '../transactions.js'
import { findOrder } from './find-order.js'
import type { OperationHandler } from './operation-handler.js'
import { showThreeDSecure } from './three-d-secure-step.js'

/** Tells the state of an order's latest stage, or of the one that a serial number started. */
export const status: OperationHandler = call => {
  const order = findOrder(call)
  const { gateway } = call
  const { byRequestSn } = call.fields
  const stage = byRequestSn === undefined ? latestStage(order) : stageOf(order, byRequestSn)
  return statusReply({
    order,
    stage,
    profile: gateway.settings.profile,
    now: gateway.clock.now(),
    serialNumber: call.serialNumber,
    byRequestSn,
    threeDSecure: showThreeDSecure({ order, stage, gateway }),
  })
}

function stageOf(order: Order, serialNumber: string): Stage {
  const stage = order.stages.find(({ serialNumbers }) => serialNumbers.includes(serialNumber))
  return (
    stage ?? refuse('unknown-order', `No request on order "${order.orderId}" has this serial number ("by-request-sn").`)
  )
}

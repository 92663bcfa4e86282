/**
 * The status operation.
 *
 * @module
 */

import { statusReply } from '../orders/status-reply.js'
import { latestStage, type Order, type Stage } from '../orders/transactions.js'
import { refuse } from '../verification/refusal.js'
import { findOrder, unknownOrder } from './find-order.js'
import type { OperationHandler } from './operation-handler.js'
import { showThreeDSecure } from './three-d-secure-step.js'

/** Tells the state of an order's latest stage, or of the one that a serial number started. */
export const status: OperationHandler = call => {
  const order = findOrder(call)
  const { gateway } = call
  const { byRequestSn } = call.fields
  const latest = byRequestSn === undefined ? latestStage(order) : stageOf(order, byRequestSn)
  const struck = gateway.faults.strike({ at: 'status', operation: call.operation })
  if (struck?.fault === 'status-never-seen') unknownOrder(call)
  const stage = struck?.fault === 'status-lags' ? lagging(order, latest, byRequestSn) : latest
  return statusReply({
    order,
    stage,
    word: struck?.fault === 'unknown-status-word' ? struck.status : undefined,
    profile: gateway.settings.profile,
    now: gateway.clock.now(),
    serialNumber: call.serialNumber,
    byRequestSn,
    threeDSecure: showThreeDSecure({ order, stage, gateway }),
  })
}

/** The stage before; the only one, and one that is asked for by its serial number, while it was still under way. */
function lagging(order: Order, latest: Stage, byRequestSn: string | undefined): Stage {
  const before = byRequestSn === undefined ? order.stages[order.stages.indexOf(latest) - 1] : undefined
  const { verdict: _verdict, finalAt: _finalAt, ...open } = latest
  return before ?? open
}

function stageOf(order: Order, serialNumber: string): Stage {
  const stage = order.stages.find(({ serialNumbers }) => serialNumbers.includes(serialNumber))
  return (
    stage ?? refuse('unknown-order', `No request on order "${order.orderId}" has this serial number ("by-request-sn").`)
  )
}

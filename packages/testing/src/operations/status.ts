import type { Order, Stage } from '../orders/order.js'
import { html } from '../pages/document.js'
import { type ThreeDSecurePageName, threeDSecureAddress } from '../pages/return-page.js'
import { creqOf, pareqOf } from '../pages/three-d-secure/messages.js'
import { noteMethod } from '../pages/three-d-secure/method.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../replies/reply.js'
import { shownStage, statusRecord } from '../rules/status.js'
import type { GatewayState } from '../state/gateway-state.js'
import { findOrder, type OperationHandler, unknownOrder } from './handler.js'

/** Tells the state of an order's latest stage, or of the one that a serial number started. */
export const status: OperationHandler = call => {
  const order = findOrder(call)
  const { gateway, serialNumber } = call
  const { byRequestSn } = call.fields
  const before = gateway.lags.ask(order.orderId)
  if (before !== undefined) call.struck.push('callback-before-status')
  // A serial number that is not known is refused before it uses up a fault.
  shownStage(order, byRequestSn)
  const struck = gateway.faults.strike({ at: 'status', operation: call.operation })
  if (struck !== undefined) call.struck.push(struck.fault)
  if (struck?.fault === 'status-never-seen') unknownOrder(call)
  const stage = shownStage(order, byRequestSn, { before, lags: struck?.fault === 'status-lags' })
  const word = struck?.fault === 'unknown-status-word' ? struck.status : undefined
  const { profile } = gateway.settings
  const said = statusRecord(
    { order, stage },
    { profile, now: gateway.clock.now() },
    { serialNumber, byRequestSn, word },
  )
  return [...replyPairs(said, profile), ...threeDSecureFields(order, stage, gateway)]
}

function threeDSecureFields(order: Order, stage: Stage, gateway: GatewayState): ReplyPairs {
  const { threeDSecure } = stage
  if (threeDSecure === undefined || threeDSecure.step === 'done') return []
  const { step, serverTransId } = threeDSecure
  // What status shows late changes nothing.
  const isCurrent = gateway.orders.byOrderId(order.orderId)?.stages.includes(stage)
  if (step === 'method' && isCurrent) noteMethod({ order, stage, threeDSecure, gateway }, { event: 'status-reply' })
  const { profile } = gateway.settings
  const address = (page: ThreeDSecurePageName): string => threeDSecureAddress({ page, serverTransId }, gateway)
  if (step === 'gateway-run') return replyPairs(gatewayRunFields(address('start')), profile)
  const stepFields = {
    method: () => ({ tdsMethodUrl: address('method'), tdsServerTransId: serverTransId }),
    challenge: () => ({
      tdsChallengeUrl: address('challenge'),
      tdsCreq: creqOf(serverTransId),
      tdsServerTransId: serverTransId,
    }),
    pares: () => ({ tdsParesUrl: address('pareq'), tdsPareq: pareqOf(serverTransId), tdsMd: serverTransId }),
  }
  return replyPairs({ tdsStatus: profile.threeDSecureSteps.value[step], ...stepFields[step]() }, profile)
}

function gatewayRunFields(redirectTo: string): ReplyRecord {
  const page = html`<form method="post" action="${redirectTo}"><button type="submit">Go on to your bank</button></form>
<script>document.currentScript.previousElementSibling.submit()</script>`
  return { html: page.html, redirectTo }
}

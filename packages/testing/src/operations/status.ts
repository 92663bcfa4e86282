import { isApproved, latestStage, type Order, openStage, type Stage, stageAmount } from '../orders/order.js'
import { orderStage, statusWord, transactionType } from '../orders/stage-words.js'
import { html } from '../pages/document.js'
import { type ThreeDSecurePageName, threeDSecureAddress } from '../pages/return-page.js'
import { creqOf, pareqOf } from '../pages/three-d-secure/messages.js'
import { noteMethod } from '../pages/three-d-secure/method.js'
import { refuse } from '../replies/refusal.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../replies/reply.js'
import type { AcceptedCall, GatewayState } from '../state/gateway-state.js'
import { findOrder, type OperationHandler, unknownOrder } from './handler.js'

/** Tells the state of an order's latest stage, or of the one that a serial number started. */
export const status: OperationHandler = call => {
  const order = findOrder(call)
  const { gateway } = call
  const { byRequestSn } = call.fields
  const behind = gateway.lags.ask(order.orderId)
  if (behind !== undefined) call.struck.push('callback-before-status')
  const latest = byRequestSn === undefined ? latestStage(behind ?? order) : stageOf(order, byRequestSn, behind)
  const struck = gateway.faults.strike({ at: 'status', operation: call.operation })
  if (struck !== undefined) call.struck.push(struck.fault)
  if (struck?.fault === 'status-never-seen') unknownOrder(call)
  const stage = struck?.fault === 'status-lags' ? lagging(order, latest, byRequestSn) : latest
  return statusReply(call, { order, stage, word: struck?.fault === 'unknown-status-word' ? struck.status : undefined })
}

/** The stage before. Where there is none, or the stage was asked for by its serial number: the same stage while it was open. */
function lagging(order: Order, latest: Stage, byRequestSn: string | undefined): Stage {
  const before = byRequestSn === undefined ? order.stages[order.stages.indexOf(latest) - 1] : undefined
  return before ?? openStage(latest)
}

/** @param behind The order as status still shows it: a stage that it does not have yet is open. */
function stageOf(order: Order, serialNumber: string, behind: Order | undefined): Stage {
  const find = ({ stages }: Order) => stages.find(({ serialNumbers }) => serialNumbers.includes(serialNumber))
  const stage = find(order)
  if (stage !== undefined && behind !== undefined) return find(behind) ?? openStage(stage)
  return (
    stage ?? refuse('unknown-order', `No request on order "${order.orderId}" has this serial number ("by-request-sn").`)
  )
}

/** @param word A word in place of the stage's own. */
function statusReply(
  { serialNumber, fields, gateway }: AcceptedCall,
  { order, stage, word }: { readonly order: Order; readonly stage: Stage; readonly word: string | undefined },
): ReplyPairs {
  const { profile } = gateway.settings
  const now = gateway.clock.now()
  const { card, currency } = order
  const known = stage.finalAt !== undefined && now >= stage.finalAt
  const amount = stageAmount(order, stage, profile)
  const partial = currency === undefined ? undefined : 'enabled'
  return [
    ...replyPairs(
      {
        type: profile.replyTypes.value.StatusResponse,
        serialNumber,
        clientOrderId: order.clientOrderId,
        orderId: order.orderId,
        endpointId: order.endpointId,
        status: word ?? statusWord(stage, { profile, now }),
        byRequestSn: fields.byRequestSn,
        amount,
        currency: amount === undefined ? undefined : currency,
        transactionType: transactionType(stage.stage, profile),
        orderStage: orderStage(stage, { profile, now }),
        cardType: card?.brand,
        bin: card?.bin,
        lastFourDigits: card?.lastFourDigits,
        cardholderName: card?.holder,
        approvalCode: isApproved(stage, now) ? stage.approvalCode : undefined,
        processorRrn: known ? stage.rrn : undefined,
        descriptor: 'TILLKIT TEST',
        gatePartialReversal: partial,
        gatePartialCapture: partial,
        verified3dStatus: stage.threeDSecure?.verified,
        merchantData: order.merchantData,
        errorCode: known ? stage.verdict?.errorCode : undefined,
        errorMessage: known ? stage.verdict?.errorMessage : undefined,
      },
      profile,
    ),
    ...threeDSecureFields(order, stage, gateway),
  ]
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

/**
 * The reply of the status operation.
 *
 * @module
 */
import { type ReplyPairs, replyPairs } from '../fake/reply-body.js'
import { orderStage, type StageView, stageAmount, statusWord, transactionType } from './stage-words.js'
import { isApproved } from './transactions.js'

/** What else a status reply carries. */
export interface StatusReplyInput extends StageView {
  readonly serialNumber: string
  /** The serial number that was asked about. */
  readonly byRequestSn: string | undefined
  /** A word in place of the stage's own. */
  readonly word: string | undefined
  /** Fields of the 3DS step under way, by wire name. */
  readonly threeDSecure: ReplyPairs
}

/** Builds the status reply about one stage of an order. */
export function statusReply(input: StatusReplyInput): ReplyPairs {
  const { order, stage, profile, now, serialNumber, byRequestSn, threeDSecure, word } = input
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
        byRequestSn,
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
    ...threeDSecure,
  ]
}

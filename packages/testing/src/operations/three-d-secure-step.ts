/**
 * The 3DS step a customer is at, as a status reply shows it.
 *
 * @module
 */
import type { ThreeDSecureStep } from '@tillkit/protocol'
import type { GatewayState } from '../gateway-state.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../reply-body.js'
import { type Order, replaceStage, type Stage } from '../transactions.js'

/** A stage that may wait for 3DS. */
export interface StageToShow {
  readonly order: Order
  readonly stage: Stage
  readonly gateway: GatewayState
}

/** Builds the fields of the step under way, and notes when it was first shown: the ten seconds count from there. */
export function showThreeDSecure({ order, stage, gateway }: StageToShow): ReplyPairs {
  const { threeDSecure } = stage
  if (threeDSecure === undefined || threeDSecure.step === 'done') return []
  const { step, serverTransId, shownAt = gateway.clock.now() } = threeDSecure
  if (threeDSecure.shownAt === undefined) {
    gateway.orders.put(
      replaceStage(order, { before: stage, after: { ...stage, threeDSecure: { ...threeDSecure, shownAt } } }),
    )
  }
  const base = `${gateway.origin()}${gateway.settings.prefix}/3ds`
  const { profile } = gateway.settings
  const fields = { tdsStatus: profile.threeDSecureSteps.value[step], ...stepFields(step, { base, serverTransId }) }
  return replyPairs(fields, profile)
}

function stepFields(
  step: ThreeDSecureStep,
  { base, serverTransId }: { readonly base: string; readonly serverTransId: string },
): ReplyRecord {
  if (step === 'method') {
    return { tdsMethodUrl: `${base}/method/${serverTransId}`, tdsServerTransId: serverTransId }
  }
  if (step === 'challenge') {
    const challenge = { threeDSServerTransID: serverTransId, messageType: 'CReq', messageVersion: '2.2.0' }
    return {
      tdsChallengeUrl: `${base}/challenge/${serverTransId}`,
      tdsCreq: Buffer.from(JSON.stringify(challenge)).toString('base64url'),
      tdsServerTransId: serverTransId,
    }
  }
  return {
    tdsParesUrl: `${base}/pareq/${serverTransId}`,
    tdsPareq: Buffer.from(serverTransId).toString('base64'),
    tdsMd: serverTransId,
  }
}

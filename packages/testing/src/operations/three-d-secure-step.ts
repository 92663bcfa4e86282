/**
 * The 3DS step a customer is at, as a status reply shows it.
 *
 * Public documents show the method step; the names of the other fields are the fake's own.
 *
 * @module
 */
import type { GatewayState } from '../gateway-state.js'
import { type ReplyPairs, replyPairs } from '../reply-body.js'
import { type Order, replaceStage, type Stage } from '../transactions.js'

const tdsStatus = { method: 'MethodUrlFrame', challenge: 'CReqForm', pares: 'PaReqForm' } as const

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
  const word = replyPairs({ tdsStatus: tdsStatus[step] }, gateway.settings.profile)
  if (step === 'method') {
    return [
      ...word,
      ['tds-method-url-frame-3ds-method-url', `${base}/method/${serverTransId}`],
      ['tds-method-url-frame-3ds-server-trans-id', serverTransId],
    ]
  }
  if (step === 'challenge') {
    const challenge = { threeDSServerTransID: serverTransId, messageType: 'CReq', messageVersion: '2.2.0' }
    return [
      ...word,
      ['tds-creq-form-acs-url', `${base}/challenge/${serverTransId}`],
      ['tds-creq-form-creq', Buffer.from(JSON.stringify(challenge)).toString('base64url')],
      ['tds-creq-form-3ds-server-trans-id', serverTransId],
    ]
  }
  return [
    ...word,
    ['tds-pareq-form-acs-url', `${base}/pareq/${serverTransId}`],
    ['tds-pareq-form-pareq', Buffer.from(serverTransId).toString('base64')],
    ['tds-pareq-form-md', serverTransId],
  ]
}

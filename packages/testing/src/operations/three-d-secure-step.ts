/**
 * The 3DS step a customer is at, as a status reply shows it.
 *
 * @module
 */
import type { ThreeDSecureStep } from '@tillkit/protocol'
import type { GatewayState } from '../fake/gateway-state.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../fake/reply-body.js'
import type { Order, Stage } from '../orders/transactions.js'
import { html } from '../pages/html.js'
import { type ThreeDSecurePageName, threeDSecureAddress } from '../pages/return-page.js'
import { creqOf, pareqOf } from '../pages/three-d-secure/messages.js'
import { beginMethodTime } from '../pages/three-d-secure/method.js'

/** A stage that may wait for 3DS. */
export interface StageToShow {
  readonly order: Order
  readonly stage: Stage
  readonly gateway: GatewayState
}

/** Builds the fields of the step under way. */
export function showThreeDSecure({ order, stage, gateway }: StageToShow): ReplyPairs {
  const { threeDSecure } = stage
  if (threeDSecure === undefined || threeDSecure.step === 'done') return []
  const { step, serverTransId } = threeDSecure
  if (step === 'method') beginMethodTime('status-reply', { order, stage, threeDSecure, gateway })
  const { profile } = gateway.settings
  const address = (page: ThreeDSecurePageName): string => threeDSecureAddress({ page, serverTransId }, gateway)
  if (step === 'gateway-run') return replyPairs(gatewayRunFields(address('start')), profile)
  const fields = { tdsStatus: profile.threeDSecureSteps.value[step], ...stepFields(step, { address, serverTransId }) }
  return replyPairs(fields, profile)
}

interface StepAddress {
  readonly address: (page: ThreeDSecurePageName) => string
  readonly serverTransId: string
}

function stepFields(step: ThreeDSecureStep, { address, serverTransId }: StepAddress): ReplyRecord {
  if (step === 'method') return { tdsMethodUrl: address('method'), tdsServerTransId: serverTransId }
  if (step === 'challenge') {
    return { tdsChallengeUrl: address('challenge'), tdsCreq: creqOf(serverTransId), tdsServerTransId: serverTransId }
  }
  return { tdsParesUrl: address('pareq'), tdsPareq: pareqOf(serverTransId), tdsMd: serverTransId }
}

function gatewayRunFields(redirectTo: string): ReplyRecord {
  const page = html`<form method="post" action="${redirectTo}"><button type="submit">Go on to your bank</button></form>
<script>document.currentScript.previousElementSibling.submit()</script>`
  return { html: page.html, redirectTo }
}

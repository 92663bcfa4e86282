/**
 * The ten seconds of the 3DS method: when they begin, and whether they are over.
 *
 * @module
 */
import { methodTimeLimit, type WireProfile } from '@tillkit/protocol'
import type { GatewayState } from '../../fake/gateway-state.js'
import { replaceStage, type ThreeDSecure } from '../../orders/transactions.js'
import type { ThreeDSecureStage } from './find-stage.js'

/** Notes the first time that `event` happens, where the profile's `methodTimeStart` counts from it. */
export function beginMethodTime(
  event: WireProfile['methodTimeStart']['value'],
  { order, stage, threeDSecure, gateway }: ThreeDSecureStage & { readonly gateway: GatewayState },
): void {
  if (gateway.settings.profile.methodTimeStart.value !== event || threeDSecure.methodStartedAt !== undefined) return
  const started = { ...threeDSecure, methodStartedAt: gateway.clock.now() }
  gateway.orders.put(replaceStage(order, { before: stage, after: { ...stage, threeDSecure: started } }))
}

/** Milliseconds since the method began, where they are too many. Undefined where its beginning was not noted, too. */
export function methodExcess({ methodStartedAt }: ThreeDSecure, now: number): number | undefined {
  if (methodStartedAt === undefined) return undefined
  const since = now - methodStartedAt
  return since >= methodTimeLimit ? since : undefined
}

import type { StageName } from '@tillkit/protocol'
import { type Order, replaceStage, type Stage, type ThreeDSecure, type Verdict } from '../orders/order.js'

import type { GatewayState } from './gateway-state.js'

/** What a new stage begins with. */
export interface NewStage {
  readonly stage: StageName
  readonly amount: bigint | undefined
  readonly verdict: Verdict | undefined
  readonly threeDSecure?: ThreeDSecure | undefined
  readonly comment?: string | undefined
  /** Where the request that changes an order wants its outcome told. */
  readonly serverCallbackUrl?: string | undefined
  readonly serialNumber: string
  /** Name of the operation that asked for it; undefined where none did. */
  readonly operation: string | undefined
}

/** Makes a stage. With a verdict it is final once the processing time is over. */
export function newStage(begin: NewStage, gateway: GatewayState): Stage {
  const { verdict } = begin
  const decided = verdict === undefined ? undefined : decision(verdict, gateway)
  return {
    stage: begin.stage,
    operation: begin.operation,
    serialNumbers: [begin.serialNumber],
    amount: begin.amount,
    createdAt: gateway.clock.now(),
    verdict,
    finalAt: decided?.finalAt,
    approvalCode: decided?.approvalCode,
    rrn: decided?.rrn,
    threeDSecure: begin.threeDSecure,
    comment: begin.comment,
    serverCallbackUrl: begin.serverCallbackUrl,
  }
}

/** What a stage gains when it is decided: a verdict that is known once the processing time is over. */
export const decision = (
  verdict: Verdict,
  { clock, settings, ids }: GatewayState,
): Pick<Stage, 'verdict' | 'finalAt' | 'rrn' | 'approvalCode'> => ({
  verdict,
  finalAt: clock.now() + settings.processingTime,
  rrn: ids.rrn(),
  approvalCode: verdict.outcome === 'approved' ? ids.approvalCode() : undefined,
})

/** Decides a stage of an order, keeps the order and announces the outcome. @returns The order as it is afterwards. */
export function decideStage({ order, stage, verdict, also = {} }: StageDecision, gateway: GatewayState): Order {
  const after: Stage = { ...stage, ...decision(verdict, gateway), ...also }
  const changed = replaceStage(order, { before: stage, after })
  gateway.orders.put(changed)
  gateway.callbackSender.announce(changed, after)
  return changed
}

/** A stage to decide. */
export interface StageDecision {
  readonly order: Order
  readonly stage: Stage
  readonly verdict: Verdict
  /** What else changes with it. */
  readonly also?: Partial<Stage>
}

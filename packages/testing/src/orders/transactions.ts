import type { StageName } from '@tillkit/protocol'
import type { StoredCard } from './card.js'
import type { Verdict } from './sandbox-outcome.js'

/** Where a stage stands in 3DS. */
export interface ThreeDSecure {
  readonly step: 'method' | 'challenge' | 'pares' | 'gateway-run' | 'done'
  /** `threeDSServerTransID`. */
  readonly serverTransId: string
  /** When the ten seconds of the method step began, in milliseconds since the epoch: see the profile's `methodTimeStart`. */
  readonly methodStartedAt?: number
  /** `verified-3d-status`. */
  readonly verified?: 'AUTHENTICATED' | 'NOT_AUTHENTICATED'
}

/**
 * One thing that happened to an order's money. Every stage is made with every field, in one order, undefined or not: with
 * a hundred thousand of them in memory one shape for all matters.
 */
export interface Stage {
  readonly stage: StageName
  /** Name of the operation that asked for it; undefined where none did. */
  readonly operation?: string | undefined
  /** Serial numbers of the requests about it; the first one started it. */
  readonly serialNumbers: readonly string[]
  /** Minor units; undefined where there is no amount. */
  readonly amount: bigint | undefined
  /** When it began, in milliseconds since the epoch. */
  readonly createdAt: number
  /** How it ends, once that is decided. Undefined while the customer has something to do. */
  readonly verdict?: Verdict | undefined
  /** When the verdict is known, in milliseconds since the epoch. */
  readonly finalAt?: number | undefined
  readonly approvalCode?: string | undefined
  /** Retrieval reference number of the acquirer. */
  readonly rrn?: string | undefined
  readonly threeDSecure?: ThreeDSecure | undefined
  readonly comment?: string | undefined
  /** Where this stage alone is told, whatever the order asked for. */
  readonly serverCallbackUrl?: string | undefined
}

/** An order. */
export interface Order {
  readonly orderId: string
  readonly clientOrderId: string
  /** Login of the merchant. */
  readonly login: string
  /** Endpoint or endpoint group of the path. */
  readonly endpointId: string
  readonly currency: string | undefined
  /** Oldest first, never empty. */
  readonly stages: readonly [Stage, ...Stage[]]
  readonly card?: StoredCard | undefined
  /** Receiver of a transfer. */
  readonly destinationCard?: StoredCard | undefined
  readonly description?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly merchantData?: string | undefined
  readonly redirectUrl?: string | undefined
  readonly redirectSuccessUrl?: string | undefined
  readonly redirectFailUrl?: string | undefined
  readonly serverCallbackUrl?: string | undefined
  readonly notifyUrl?: string | undefined
}

/** The word a stage is at: its outcome once that is known. */
export function stageOutcome(stage: Stage, now: number): Verdict['outcome'] | 'processing' {
  if (stage.verdict === undefined || stage.finalAt === undefined || now < stage.finalAt) return 'processing'
  return stage.verdict.outcome
}

/** Whether a stage is approved and known to be. */
export const isApproved = (stage: Stage, now: number): boolean => stageOutcome(stage, now) === 'approved'

/** Whether a stage has ended, well or not. */
export const hasEnded = (stage: Stage, now: number): boolean =>
  !['processing', 'unknown'].includes(stageOutcome(stage, now))

/** The latest stage. */
export const latestStage = (order: Order): Stage => order.stages.at(-1) ?? order.stages[0]

/** Appends a stage. */
export const addStage = (order: Order, stage: Stage): Order => ({ ...order, stages: [...order.stages, stage] })

/** Replaces `before` by `after`. */
export function replaceStage(
  order: Order,
  { before, after }: { readonly before: Stage; readonly after: Stage },
): Order {
  const [first, ...rest] = order.stages.map(stage => (stage === before ? after : stage))
  return { ...order, stages: [first ?? after, ...rest] }
}

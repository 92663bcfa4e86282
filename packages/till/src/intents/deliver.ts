import { claimDelivery } from '../rules/delivery/delivery.js'
import type { PaymentDocument } from '../state/document.js'
import { type AskedOrder, type AskPlan, ask } from './ask.js'
import type { Next, Scene, Step } from './next.js'

/** Who delivers, and how long that may take. */
export interface DeliverPlan {
  /** How long the handler has for one outcome, and for how long somebody else who delivers is waited for, in milliseconds. */
  readonly lease: number
}

/**
 * The end of delivering. `told`: every outcome of the payment has been told, one of them by this run, or maybe by it,
 * where the answer to its commit was lost. `nothing`: there was none. `busy`:
 * somebody else tells one, or the handler outstays its lease, or nobody waits any longer. `failed`: the handler threw, or what it wrote was
 * not taken. `unknown`: whether it was told is not known; it is told again once the lease is over, unless it was.
 */
export type DeliverResult = DeliverEnd & {
  /** The payment as the run left it; undefined: nothing is kept of it. */
  readonly payment: PaymentDocument | undefined
}

type DeliverEnd =
  | { readonly kind: 'told' | 'nothing' | 'busy' }
  | { readonly kind: 'failed' | 'unknown'; readonly cause: unknown }

/** The pause before another look at a payment that somebody else delivers outcomes of, in milliseconds. */
const lookAgain = 250

/**
 * Delivers what the answers of status to this run have brought to light before another step is taken.
 * A handler that fails is told again by the work in the background.
 *
 * @param lease Absent: another process tells.
 */
export function deliveringFirst<Result>(lease: number | undefined, scene: Scene, step: Step<Result>): Step<Result> {
  if (lease === undefined || step.kind === 'ask') return step
  // A caller whose request has ended waits for nothing more.
  if (scene.heard.answers.length === 0 || scene.heard.request !== undefined) return step
  const delivering = deliver({ lease })(scene)
  return delivering.kind === 'end' ? step : delivering
}

/** Tells every outcome of a payment that was not told, one after the other, in the order in which they became known. */
export const deliver =
  ({ lease }: DeliverPlan): Next<DeliverResult> =>
  ({ payment, heard, at, gate }) => {
    const { deliveries, waited, passed, isHandling } = heard
    const last = deliveries.at(-1)
    const end = (result: DeliverEnd) => ({ kind: 'end', result: { ...result, payment } }) as const
    if (last?.kind === 'failed') return end({ kind: 'failed', cause: last.cause })
    if (last?.kind === 'overstayed' || last?.kind === 'not-begun') return end({ kind: 'busy' })
    // The lease is still there: what was to end it is not written down.
    if (last !== undefined && payment?.telling?.token === last.token)
      return end({ kind: 'unknown', cause: 'cause' in last ? last.cause : undefined })
    const claim = payment === undefined ? undefined : claimDelivery(payment, { token: gate, at: at.earliest, lease })
    if (claim === undefined || claim.kind === 'nothing')
      return end({ kind: deliveries.length > 0 ? 'told' : 'nothing' })
    if (waited > lease || passed === Number.POSITIVE_INFINITY) return end({ kind: 'busy' })
    if (claim.kind === 'busy') return { kind: 'wait', milliseconds: lookAgain }
    return isHandling ? end({ kind: 'busy' }) : { kind: 'deliver', payment: claim.document }
  }

/** An order that is asked about, and whose payment's outcomes are delivered. */
export interface AskAndDeliverPlan extends AskPlan {
  /** Whether there is anybody to ask: another account may never have seen the order. */
  readonly isAsked: boolean
  /** How long the handler has for one outcome, in milliseconds. Absent: another process tells. */
  readonly lease: number | undefined
}

/** Asks status about everything that is open of an order, and delivers what was not told, where that is done here. */
export const askAndDeliver =
  ({ isAsked, lease, ...plan }: AskAndDeliverPlan): Next<AskedOrder> =>
  scene => {
    const asked: Step<AskedOrder> = isAsked ? ask(plan)(scene) : { kind: 'end', result: 'no-answer' }
    if (asked.kind !== 'end' || lease === undefined) return asked
    const step = deliver({ lease })(scene)
    // A handler that fails is told again by the work in the background, which reports it.
    return step.kind === 'end' ? asked : step
  }

/** Writes down how a handler ended that outstayed its lease, and nothing more. */
export const nothingMore = (): Next<undefined> => () => ({ kind: 'end', result: undefined })

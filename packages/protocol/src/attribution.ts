/**
 * Attribution: which of an order's stages a status reply speaks of.
 *
 * @module
 */
import { sameAmount } from '@tillkit/signing'
import type { Stage, StatusObservation } from './order.js'
import type { WireProfile } from './profile.js'
import { mayRepeat, type StageName } from './stage.js'
import { finalOutcome } from './status.js'

/** A status reply, and the stage it names. */
export interface AttributionInput {
  readonly name: StageName
  readonly observation: StatusObservation
  readonly profile: WireProfile
}

/**
 * Finds the stage that a reply speaks of.
 *
 * Asked by serial number it is the one with that number, or one that has none yet and may be the same. Asked without, it
 * is the only one of its name; where such a stage may happen again, one with a number is not taken for it, since the
 * reply may speak of a later one.
 *
 * @returns undefined when it is a stage not known so far, `ambiguous` when it cannot be told or the gateway answered about
 * another request than the one asked about.
 */
export function attribute(
  stages: readonly Stage[],
  { name, observation, profile }: AttributionInput,
): Stage | 'ambiguous' | undefined {
  const { reply, bySerialNumber: asked } = observation
  const named = stages.filter(each => each.stage === name)
  if (asked === undefined) {
    const [only, another] = named
    if (another !== undefined) return 'ambiguous'
    return only?.serialNumber !== undefined && mayRepeat(name) ? 'ambiguous' : only
  }
  if (reply.byRequestSn !== undefined && reply.byRequestSn !== asked) return 'ambiguous'
  return (
    named.find(each => each.serialNumber === asked) ??
    named.find(each => each.serialNumber === undefined && mayBeTheSame(each, { name, observation, profile }))
  )
}

/** Of two returns, one that is over is not the one that still is processing, and one over 3.00 not the one over 5.00. */
function mayBeTheSame(known: Stage, { name, observation, profile }: AttributionInput): boolean {
  const { status, amount } = observation.reply
  if (!mayRepeat(name)) return true
  if (known.outcome !== undefined && known.outcome !== finalOutcome(status, profile)) return false
  return known.amount === undefined || amount === undefined || sameAmount(known.amount, amount)
}

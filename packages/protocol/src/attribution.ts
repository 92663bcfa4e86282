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
 * What cannot happen twice is the only one of its name, whatever the number: a 3DS upload has a serial number of its own
 * and moves the sale that is there. Of what can, it is the one with the number that was asked about, or one that has none
 * yet and may be the same; asked without a number, the only one of its name, unless that has a number, since the reply may
 * speak of a later one.
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
  if (!mayRepeat(name)) return named[0]
  return (
    named.find(each => each.serialNumber === asked) ??
    named.find(each => each.serialNumber === undefined && mayBeTheSame(each, { name, observation, profile }))
  )
}

/** Of two returns, one that is over is not the one that still is processing, and one over 3.00 not the one over 5.00. */
function mayBeTheSame(known: Stage, { observation, profile }: AttributionInput): boolean {
  const { status, amount } = observation.reply
  if (known.outcome !== undefined && known.outcome !== finalOutcome(status, profile)) return false
  return known.amount === undefined || amount === undefined || sameAmount(known.amount, amount)
}

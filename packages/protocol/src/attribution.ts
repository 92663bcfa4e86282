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
 * and moves the sale that is there. Of what can, it is the one with the number that was asked about. One that was seen
 * without a number gets it while it is under way, since one change of an order is open at a time; once it is over, a later
 * one may look the same, so that the reply begins a stage of its own. Asked without a number, it is the only one of its
 * name, unless that has a number or was over another amount.
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
    if (only === undefined || !mayRepeat(name)) return only
    if (only.serialNumber !== undefined) return 'ambiguous'
    const isLater = only.outcome !== undefined && observation.askedAt > only.askedAt
    return isLater && !mayBeAsMuch(only, observation) ? undefined : only
  }
  if (reply.byRequestSn !== undefined && reply.byRequestSn !== asked) return 'ambiguous'
  if (!mayRepeat(name)) return named[0]
  return (
    named.find(each => each.serialNumber === asked) ??
    named.find(each => each.serialNumber === undefined && isTheSame(each, { name, observation, profile }))
  )
}

/** Whether a stage that was seen without a number is the one that was asked about by number. */
function isTheSame(known: Stage, { name, observation, profile }: AttributionInput): boolean {
  if (!mayBeAsMuch(known, observation)) return false
  const outcome = finalOutcome(observation.reply.status, profile)
  // What was over before one was seen under way is another one.
  if (known.outcome === undefined) return outcome === undefined || observation.askedAt >= known.askedAt
  return known.outcome === 'approved' && outcome === 'approved' && succeedsOnce(name, profile)
}

/** What ends the hold succeeds once: there is no second hold to end. */
function succeedsOnce(name: StageName, profile: WireProfile): boolean {
  return name === 'cancel' || name === 'void' || (name === 'capture' && profile.captureEndsHold.value)
}

/** Of two returns, one over 3.00 is not the one over 5.00. */
function mayBeAsMuch({ amount: known }: Stage, { reply: { amount } }: StatusObservation): boolean {
  return known === undefined || amount === undefined || sameAmount(known, amount)
}

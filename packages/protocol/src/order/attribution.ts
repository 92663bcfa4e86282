/**
 * Attribution: which of an order's stages a status reply is about.
 *
 * @module
 */
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { mayRepeat, type StageName } from '../operations/stages.js'
import type { WireProfile } from '../profile/profile.js'
import { finalOutcome, wordOf } from './status.js'
import type { Stage, StatusObservation } from './types.js'

/** A status reply, and the stage it names. */
export interface AttributionInput {
  readonly name: StageName
  readonly observation: StatusObservation
  readonly profile: WireProfile
}

/**
 * Serial number of the request that a reply is about: the one that was asked about, where the reply says so.
 *
 * A gateway that does not look at `by-request-sn` answers about the latest request. So a reply that does not echo it may
 * be about another one, and counts as if nothing had been asked by number, unless the profile says that this gateway never
 * echoes it.
 */
export function serialNumberOf(
  { reply, bySerialNumber: asked }: StatusObservation,
  profile: WireProfile,
): string | undefined {
  const isUnsaid = reply.byRequestSn === undefined
  return reply.byRequestSn === asked || (isUnsaid && !profile.statusEchoesSerialNumber.value) ? asked : undefined
}

/** Whether the gateway answered about another request than the one that was asked about. */
function echoesAnother({ reply: { byRequestSn: echoed }, bySerialNumber: asked }: StatusObservation): boolean {
  return asked !== undefined && echoed !== undefined && echoed !== asked
}

/**
 * Finds the stage that a reply is about.
 *
 * - A stage that cannot happen twice is the only one of its name, whatever the number: a 3DS upload has a serial number of its
 *   own and moves the sale that is there.
 * - Asked by number, a stage that can happen twice is the one with that number. A stage that was seen without a number gets it
 *   while it is under way, since one change of an order is open at a time. Once it is over, a later one may look the same, so
 *   the reply begins a new stage.
 * - Asked without a number, it is the only stage of its name, unless that has a number, was over another amount, or ended with
 *   another word: two returns may differ in nothing else. Of several, those that are over and had another amount do not count.
 *
 * @returns undefined when it is a stage not known so far, `ambiguous` when it cannot be told or the gateway answered about
 * another request than the one asked about.
 */
export function attribute(
  stages: readonly Stage[],
  { name, observation, profile }: AttributionInput,
): Stage | 'ambiguous' | undefined {
  if (echoesAnother(observation)) return 'ambiguous'
  const about = serialNumberOf(observation, profile)
  const word = wordOf(observation.reply, name)
  const named = stages.filter(each => each.stage === name && each.word === word)
  if (about === undefined) {
    if (!mayRepeat(name)) return named[0]
    const [only, another] = named.length > 1 ? named.filter(each => !isSurelyAnother(each, observation)) : named
    if (another !== undefined) return 'ambiguous'
    if (only === undefined) return only
    if (only.serialNumber !== undefined) return 'ambiguous'
    if (only.outcome === undefined || observation.askedAt < only.askedAt) return only
    if (!mayBeAsMuch(only, observation)) return observation.askedAt > only.askedAt ? undefined : 'ambiguous'
    // Another word may belong to another stage, tried again or under way: it is no contradiction.
    return finalOutcome(observation.reply.status, profile) === only.outcome ? only : 'ambiguous'
  }
  if (!mayRepeat(name)) return named[0]
  return (
    named.find(each => each.serialNumber === about) ??
    named.find(each => each.serialNumber === undefined && isTheSame(each, { stages, observation, profile }))
  )
}

/** Whether a stage that is over and has no number cannot be the one that a later reply is about. */
function isSurelyAnother(known: Stage, observation: StatusObservation): boolean {
  const isOver = known.serialNumber === undefined && known.outcome !== undefined
  return isOver && observation.askedAt > known.askedAt && !mayBeAsMuch(known, observation)
}

/** Whether a stage that was seen without a number is the one that was asked about by number. */
function isTheSame(
  known: Stage,
  { stages, observation, profile }: Omit<AttributionInput, 'name'> & { readonly stages: readonly Stage[] },
): boolean {
  if (!mayBeAsMuch(known, observation)) return false
  const outcome = finalOutcome(observation.reply.status, profile)
  // What was over before one was seen under way is another one.
  if (known.outcome === undefined) return outcome === undefined || observation.askedAt >= known.askedAt
  return known.outcome === 'approved' && outcome === 'approved' && endsHold(known, { stages, profile })
}

/** Of two returns, one over 3.00 is not the one over 5.00. */
function mayBeAsMuch({ amount: known }: Stage, { reply: { amount } }: StatusObservation): boolean {
  return known === undefined || amount === undefined || sameAmount(known, amount)
}

/**
 * Whether an approved stage leaves nothing of the hold, and so succeeds once: there is no second hold to end. A capture or
 * a cancel of the whole always does, one of a part or over an unknown amount where the profile says so.
 */
export function endsHold(
  { stage, amount }: Pick<Stage, 'stage' | 'amount'>,
  { stages, profile }: { readonly stages: readonly Stage[]; readonly profile: WireProfile },
): boolean {
  if (stage === 'void') return true
  if (stage === 'capture' && profile.captureEndsHold.value) return true
  if (stage === 'cancel' && profile.cancelEndsHold.value) return true
  if (stage !== 'capture' && stage !== 'cancel') return false
  const hold = stages.find(each => each.stage === 'preauth' && each.outcome === 'approved')?.amount
  if (amount === undefined || hold === undefined || !isReadable(amount) || !isReadable(hold)) return false
  return compareAmounts(amount, hold) >= 0
}

/** What cannot be read as an amount is not even the same as itself. */
const isReadable = (amount: string): boolean => sameAmount(amount, amount)

import { compareAmounts, sameAmount } from '@tillkit/signing'
import { ownValue } from '../operations/fields.js'
import type { AnyOperation } from '../operations/operation.js'
import { operations } from '../operations/operations.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { isAwaitedStage, mayRepeat, type StageName } from '../operations/stages.js'
import type { FinalOutcome, WireProfile } from '../profile/types.js'
import { maskCardNumbers } from '../redaction/mask-card-number.js'
import type { Stage, StatusObservation } from './types.js'

/** How `word` ends a stage, or undefined while it is not over. An unknown word ends nothing. */
export function finalOutcome(word: string, profile: WireProfile): FinalOutcome | undefined {
  return ownValue(profile.finalStatuses.value, word.trim().toLowerCase())
}

/**
 * The stage that a status reply is about: by `transaction-type`, else by the family of `order-stage`.
 *
 * @returns `unrecognized` for a type this library does not know, undefined when the reply names none.
 */
export function stageOf(
  reply: Pick<StatusResponse, 'transactionType' | 'orderStage'>,
  profile: WireProfile,
): StageName | undefined {
  const stages = profile.stages.value
  if (reply.transactionType !== undefined) {
    return ownValue(stages, reply.transactionType.trim().toLowerCase()) ?? 'unrecognized'
  }
  if (reply.orderStage === undefined) return undefined
  const stage = reply.orderStage.trim().toLowerCase()
  const family = Object.keys(stages)
    .filter(name => stage === name || stage.startsWith(`${name}_`))
    .sort((a, b) => b.length - a.length)[0]
  return family === undefined ? 'unrecognized' : stages[family]
}

/**
 * What the gateway calls a stage that this library does not know, in lower case; undefined for one that it knows. Text
 * that looks like a card number is masked, since an order is stored.
 */
export function wordOf(
  { transactionType, orderStage }: Pick<StatusResponse, 'transactionType' | 'orderStage'>,
  name: StageName,
): string | undefined {
  return name === 'unrecognized'
    ? maskCardNumbers((transactionType ?? orderStage ?? '').trim().toLowerCase())
    : undefined
}

/** The stages of an order so far, and the profile they are read with. */
interface Known {
  readonly stages: readonly Stage[]
  readonly profile: WireProfile
}

/** Whether a change of an order may start this stage. A reply without a name is never taken to be about such a stage. */
const isChangedInto = (stage: StageName): boolean =>
  Object.values<AnyOperation>(operations).some(({ effect, stages }) => effect === 'changes' && stages.includes(stage))

/** The stage that an observation is about: the one its reply names, or the one that made the order, see {@link withCreator}. */
export function observedStage(
  { reply, createdBy }: StatusObservation,
  { stages, profile }: Known,
): StageName | undefined {
  const named = stageOf(reply, profile)
  if (named !== undefined || createdBy === undefined || profile.statusNamesStage.value) return named
  return stages.every(({ stage }) => stage === createdBy) ? createdBy : undefined
}

/**
 * The observation, with the stage that made the order where its reply names no stage and the profile lets it be about that one:
 * only where nothing else is waited for, and no change of the order leads to such a stage.
 *
 * @param stages Those that are waited for.
 */
export function withCreator(
  observation: StatusObservation,
  { stages, profile }: { readonly stages: readonly string[]; readonly profile: WireProfile },
): StatusObservation {
  const [only, another] = stages.filter(isAwaitedStage)
  if (profile.statusNamesStage.value || stageOf(observation.reply, profile) !== undefined) return observation
  if (only === undefined || another !== undefined || mayRepeat(only) || isChangedInto(only)) return observation
  return { ...observation, createdBy: only }
}

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

/**
 * Finds the stage that a reply is about.
 *
 * - A stage that cannot happen twice is the only one of its name, whatever the number: a 3DS upload has a serial number of its
 *   own and moves the sale that is there.
 * - Asked by number, a stage that can happen twice is the one with that number. A stage that was seen without a number gets it
 *   while it is under way, since one change of an order is open at a time. Once it is over, a later one may look the same, so
 *   the reply begins a new stage.
 * - Asked without a number, it is the stage with the codes of the acquirer that the reply has; one with other codes is another one.
 * - Without codes to compare, it is the only stage of its name, unless that has a number, was over another amount, or ended with
 *   another word: two returns may differ in nothing else. Of several, those that are over and had another amount do not count.
 * - The bank does not try a chargeback: another word about the only one over that amount is about it, and takes it back.
 * - Where no request is waited for (`noneAwaited`), another word is about one of those that have no number: the latest of equal ones.
 *
 * @returns undefined when it is a stage not known so far, `ambiguous` when it cannot be told or the gateway answered about
 * another request than the one asked about.
 */
export function attribute(
  stages: readonly Stage[],
  { name, observation, profile }: AttributionInput,
): Stage | 'ambiguous' | undefined {
  const { reply, bySerialNumber: asked } = observation
  if (asked !== undefined && reply.byRequestSn !== undefined && reply.byRequestSn !== asked) return 'ambiguous'
  const word = wordOf(reply, name)
  const named = stages.filter(each => each.stage === name && each.word === word)
  if (!mayRepeat(name)) return named[0]
  const about = serialNumberOf(observation, profile)
  if (about !== undefined) {
    return (
      named.find(each => each.serialNumber === about) ??
      named.find(each => each.serialNumber === undefined && isTheSame(each, observation, { stages, profile }))
    )
  }
  const said = (each: Stage) => codesSay(each, observation, profile)
  const same = named.filter(each => said(each) === 'same')
  const alike = named.filter(each => mayBeAsMuch(each, observation))
  const isTakenBack = ({ askedAt }: Stage): boolean =>
    name === 'chargeback' && alike.length === 1 && observation.askedAt > askedAt
  const isItsWord = (each: Stage): boolean =>
    each.outcome === undefined || finalOutcome(reply.status, profile) === latestOf(each, profile) || isTakenBack(each)
  // Some acquirers have one number for all returns of an order: another word may be another one's, or one's without codes.
  const coded = named.filter(each => same.includes(each) || (each.processorRrn ?? each.approvalCode) === undefined)
  if (same.length > 0) return same.find(isItsWord) ?? takenBack(coded, observation, profile)
  const possible = named.filter(each => said(each) !== 'another')
  const left = possible.length > 1 ? possible.filter(each => !isSurelyAnother(each, observation)) : possible
  const [only, another] = left
  if (only === undefined) return undefined
  if (another !== undefined || only.serialNumber !== undefined) return takenBack(left, observation, profile)
  if (only.outcome === undefined || observation.askedAt < only.askedAt) return only
  if (!mayBeAsMuch(only, observation)) return observation.askedAt > only.askedAt ? undefined : 'ambiguous'
  // Another word may belong to another stage, tried again or under way: it is no contradiction.
  return isItsWord(only) ? only : takenBack([only], observation, profile)
}

/** How a stage has ended by its latest word; undefined: it has not. */
const latestOf = ({ status, corrections }: Stage, profile: WireProfile): FinalOutcome | undefined =>
  finalOutcome(corrections.at(-1)?.to ?? status, profile)

/**
 * Finds the one of several stages that a word takes back, or approves at last: the latest of those that neither codes nor amounts tell
 * apart. No money moves from one failure to another, and an approval without an amount may be over any.
 */
function takenBack(
  possible: readonly Stage[],
  observation: StatusObservation,
  profile: WireProfile,
): Stage | 'ambiguous' {
  const { reply, askedAt, noneAwaited } = observation
  const outcome = finalOutcome(reply.status, profile)
  const asMuch = possible.filter(each => mayBeAsMuch(each, observation))
  const latest = asMuch.at(-1)
  // Status shows the latest, and no longer one before it that has failed, and that nothing contradicted.
  const isPast = (each: Stage): boolean =>
    each !== latest &&
    outcome !== 'approved' &&
    (each.outcome ?? 'approved') !== 'approved' &&
    each.corrections.length === 0
  const alike = asMuch.filter(each => !isPast(each))
  const isContradicted = (each: Stage): boolean => {
    const { serialNumber, amount } = each
    const isApproved = latestOf(each, profile) === 'approved'
    return (
      serialNumber === undefined &&
      each.outcome !== undefined &&
      askedAt >= each.askedAt &&
      isApproved !== (outcome === 'approved') &&
      (isApproved || amount === undefined || reply.amount !== undefined) &&
      isSameAmount(amount, latest?.amount)
    )
  }
  const isToldApart = noneAwaited === true && outcome !== undefined && alike.every(isContradicted)
  return (isToldApart ? latest : undefined) ?? 'ambiguous'
}

/**
 * Compares the codes of the acquirer of a stage that may repeat with those of a reply. `another`: an approval that has another number,
 * or none where the stage had one. A code may change: an approval that is given again has a new one, and so may a stage that was under way.
 *
 * @returns Undefined where they do not tell.
 */
function codesSay(known: Stage, observation: StatusObservation, profile: WireProfile): 'same' | 'another' | undefined {
  const { processorRrn, approvalCode, status } = observation.reply
  const compared = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined ? 'unknown' : one === other ? 'equal' : 'other'
  const number = compared(known.processorRrn, processorRrn)
  const code = compared(known.approvalCode, approvalCode)
  if (number === 'equal' || (number === 'unknown' && code === 'equal'))
    return mayBeAsMuch(known, observation) ? 'same' : undefined
  if (known.outcome === undefined || finalOutcome(status, profile) !== 'approved') return undefined
  const isCoded = known.processorRrn !== undefined || known.approvalCode !== undefined
  const isBare = processorRrn === undefined && approvalCode === undefined
  return (number === 'other' && code !== 'equal') || (isCoded && isBare) ? 'another' : undefined
}

/** Whether a stage that is over and has no number cannot be the one that a later reply is about. */
function isSurelyAnother(known: Stage, observation: StatusObservation): boolean {
  const isOver = known.serialNumber === undefined && known.outcome !== undefined
  return isOver && observation.askedAt > known.askedAt && !mayBeAsMuch(known, observation)
}

/** Whether a stage that was seen without a number is the one that was asked about by number. */
function isTheSame(known: Stage, observation: StatusObservation, order: Known): boolean {
  const said = codesSay(known, observation, order.profile)
  if (said !== undefined) return said === 'same'
  if (!mayBeAsMuch(known, observation)) return false
  const outcome = finalOutcome(observation.reply.status, order.profile)
  // What was over before one was seen under way is another one.
  if (known.outcome === undefined) return outcome === undefined || observation.askedAt >= known.askedAt
  return known.outcome === 'approved' && outcome === 'approved' && endsHold(known, order)
}

const isSameAmount = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && sameAmount(one, other))

/** Of two returns, one over 3.00 is not the one over 5.00. */
function mayBeAsMuch({ amount: known }: Stage, { reply: { amount } }: StatusObservation): boolean {
  return known === undefined || amount === undefined || sameAmount(known, amount)
}

/**
 * Whether an approved stage leaves nothing of the hold, and so succeeds once: there is no second hold to end. A capture or
 * a cancel of the whole always does, one of a part or over an unknown amount where the profile says so.
 */
export function endsHold({ stage, amount }: Stage, { stages, profile }: Known): boolean {
  if (stage === 'void') return true
  if (stage === 'capture' && profile.captureEndsHold.value) return true
  if (stage === 'cancel' && profile.cancelEndsHold.value) return true
  if (stage !== 'capture' && stage !== 'cancel') return false
  const hold = stages.find(each => each.stage === 'preauth' && each.outcome === 'approved')?.amount
  if (amount === undefined || hold === undefined) return false
  // What cannot be read as an amount is not even the same as itself.
  return sameAmount(amount, amount) && sameAmount(hold, hold) && compareAmounts(amount, hold) >= 0
}

/**
 * Whether status shows what a request did, of which nobody knows how it ended.
 *
 * @module
 */
import { type Attempt, finalOutcome, type StageName, type StatusSnapshot, type WireProfile } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { mayHaveArrived, type RememberedAttempt } from '../../state/attempt-rules.js'

/** A change, and what is known around it. */
export interface ChangeInput {
  readonly attempt: RememberedAttempt
  /** Status says this now of a stage of the order. */
  readonly reply: StatusSnapshot
  /** Whether the reply says that it is about the very serial number of the change. */
  readonly isNamed: boolean
  /** The other changes of the order. */
  readonly others: readonly RememberedAttempt[]
  readonly profile: WireProfile
}

/**
 * Judges whether status shows this change.
 *
 * A stage of another name is never it: a preauth's `approved` says nothing of a capture.
 * A stage that was there before is not it, nor is one over another amount; and of two changes that may be equal neither is inferred
 * from the other. Where the reply names the change, an equal one counts only under another serial number:
 * there are gateways that echo the question and show the latest change.
 */
export function showsChange({ attempt, reply, isNamed, others, profile }: ChangeInput): boolean {
  const { baseline, stages, end } = attempt
  const shown = stages.find(stage => stage === reply.stage)
  if (shown === undefined || isOtherMoney(attempt, reply)) return false
  const equal = others.filter(other => mayHaveArrived(other) && mayBeEqual(attempt, other))
  if (isNamed) return equal.every(other => other.end?.serialNumber === end?.serialNumber)
  if (baseline === undefined || equal.length > 0) return false
  return baseline.stage !== shown || isAnotherThan(baseline, { attempt, reply, profile })
}

/** Stages whose amount is the whole that a change without an amount is about. */
const originals: readonly (StageName | undefined)[] = ['preauth', 'sale', 'capture', 'payout-check']

function isOtherMoney({ amount, currency, baseline }: Attempt, reply: StatusSnapshot): boolean {
  if (differ(currency ?? baseline?.currency, reply.currency)) return true
  if (amount !== undefined) return reply.amount === undefined || !sameAmount(amount, reply.amount)
  // A void is always of the whole, and not every gateway says of how much.
  if (reply.stage === 'void' || baseline === undefined || !originals.includes(baseline.stage)) return false
  return baseline.amount !== undefined && reply.amount !== undefined && !sameAmount(baseline.amount, reply.amount)
}

/** A stage of the same name as before is another one only if that had ended, over another amount than this one's. */
function isAnotherThan(
  baseline: StatusSnapshot,
  { attempt, reply, profile }: Pick<ChangeInput, 'attempt' | 'reply' | 'profile'>,
): boolean {
  if (finalOutcome(baseline.status, profile) === undefined || attempt.amount === undefined) return false
  if (baseline.amount === undefined || reply.amount === undefined) return false
  return isReadable(baseline.amount) && !sameAmount(baseline.amount, reply.amount)
}

function mayBeEqual(attempt: Attempt, other: Attempt): boolean {
  if (!other.stages.some(stage => attempt.stages.includes(stage))) return false
  return attempt.amount === undefined || other.amount === undefined || sameAmount(attempt.amount, other.amount)
}

const differ = (ours: string | undefined, theirs: string | undefined): boolean =>
  ours !== undefined && theirs !== undefined && ours !== theirs

/** A text that cannot be read as an amount is not even the same as itself. */
const isReadable = (amount: string): boolean => sameAmount(amount, amount)

/**
 * Which stages may come after the one that made an order. Status shows the latest stage only, so these say that there was
 * an order of that kind; a stage that is not listed was made by another request.
 */
const mayFollow: { readonly [Original in StageName]?: readonly StageName[] } = {
  sale: ['reversal', 'cancel', 'void', 'chargeback'],
  preauth: ['capture', 'cancel', 'void', 'reversal', 'chargeback'],
  payout: ['reversal', 'cancel', 'void'],
  'payout-check': ['payout', 'reversal', 'cancel', 'void'],
  transfer: ['reversal', 'cancel', 'void'],
  verification: ['cancel', 'void'],
}

/**
 * Judges whether the order that was found may be none of this attempt's. Its first stage is over the very amount;
 * what came later is over no more than that, and in the same currency.
 *
 * @returns Why it need not be, to complete "status knows an order, and …"; undefined when it is the attempt's.
 */
export function doubtAboutCreation(
  { stages, ...ours }: Pick<Attempt, 'stages' | 'amount' | 'currency'>,
  { stage, amount, currency }: StatusSnapshot,
): string | undefined {
  // If the profile says that status finds subscriptions, any stage that it shows will do.
  const isKnownKind = stages.length > 0
  if (isKnownKind && stage === 'unrecognized')
    return 'shows a stage that the wire profile does not know: see "stages" of defineProfile'
  const isFirst = stage !== undefined && stages.includes(stage)
  const mayBeLater = stage === undefined || stages.some(each => mayFollow[each]?.includes(stage))
  if (isKnownKind && !isFirst && !mayBeLater) return anothers(`it is a ${stage}`)
  if (differ(ours.currency, currency)) return anothers('it is in another currency')
  if (ours.amount === undefined || amount === undefined) return undefined
  const isLess = isReadable(ours.amount) && isReadable(amount) && compareAmounts(amount, ours.amount) <= 0
  const fits = isFirst ? sameAmount(amount, ours.amount) : isLess
  return fits ? undefined : anothers('it is over another amount')
}

const anothers = (what: string): string =>
  `${what}: another request made it, and this one may have been refused for it or have made another order`

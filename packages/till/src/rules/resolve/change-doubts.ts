import { type Attempt, finalOutcome, type StageName, type StatusSnapshot, type WireProfile } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { mayHaveArrived, type RememberedAttempt } from '../../state/attempt-rules.js'

/** Why a change cannot be told from what was there before. */
export type DoubtReason = 'not-shown' | 'no-baseline' | 'other-amount' | 'same-as-before' | 'equal-change' | 'no-store'

/** A change, and what is known around it. */
export interface ChangeInput {
  readonly attempt: Attempt
  /** Status says this now of the order's latest stage. */
  readonly reply: StatusSnapshot
  /** Other changes of the order; undefined where that is not known. */
  readonly others: readonly RememberedAttempt[] | undefined
  readonly profile: WireProfile
}

/** Why a change cannot be told from what was there before; `explanation` is one sentence. */
export interface ChangeDoubt {
  readonly reason: DoubtReason
  readonly explanation: string
  readonly needsPerson: boolean
}

/**
 * Judges whether status shows this change.
 *
 * A stage of another name is never it: a preauth's `approved` says nothing of a capture. A stage that was there before is
 * not it, nor is one over another amount; and of two changes that may be equal neither is inferred from the other.
 *
 * @returns undefined when it can only be this change, provided that every change of the order goes through the store.
 */
export function doubtsAboutChange({ attempt, reply, others, profile }: ChangeInput): ChangeDoubt | undefined {
  const { baseline, stages } = attempt
  const shown = stages.find(stage => stage === reply.stage)
  if (shown === undefined) {
    const said = reply.stage === undefined ? 'names no stage' : `shows the ${reply.stage}`
    return {
      reason: 'not-shown',
      explanation: `Status ${said}, not of a ${stages.join(' or ')}: it may lag behind, so nothing follows from that.`,
      needsPerson: baseline === undefined,
    }
  }
  if (baseline === undefined) {
    return doubt('no-baseline', `Status shows a ${shown}, and what it showed before this one was sent is not known.`)
  }
  if (isOtherMoney({ attempt, reply, baseline, shown })) {
    const expected = attempt.amount ?? baseline.amount
    return doubt(
      'other-amount',
      `Status shows a ${shown} over ${money(reply)}; this one is over ${expected ?? 'the whole'}.`,
    )
  }
  if (baseline.stage === shown && !isAnotherThan(baseline, { attempt, reply, profile })) {
    return doubt('same-as-before', `Status showed a ${shown} over ${money(baseline)} before this one was sent, too.`)
  }
  if (others === undefined) {
    return doubt('no-store', `Status shows a ${shown}; which other changes of the order were sent is not known.`)
  }
  const equal = others.find(other => mayHaveArrived(other) && mayBeEqual(attempt, other))
  return equal === undefined ? undefined : doubtsFrom(equal, { reply, shown })
}

/**
 * Judges a reply that claims to show what this very request started. It does not where its money is another. Nothing follows
 * where an equal change may have arrived under another serial number: there are gateways that echo the question and show
 * the latest change.
 *
 * @returns undefined when it shows this change; `not-named` when it is to be judged like any other reply.
 */
export function doubtsAboutNamed({
  attempt,
  reply,
  others = [],
}: Pick<ChangeInput, 'reply' | 'others'> & { readonly attempt: RememberedAttempt }):
  | ChangeDoubt
  | 'not-named'
  | undefined {
  const shown = attempt.stages.find(stage => stage === reply.stage)
  if (shown === undefined || isOtherMoney({ attempt, reply, baseline: attempt.baseline, shown })) return 'not-named'
  const serialNumber = attempt.end?.serialNumber
  const equal = others.find(
    other => mayHaveArrived(other) && other.end?.serialNumber !== serialNumber && mayBeEqual(attempt, other),
  )
  return equal === undefined ? undefined : doubtsFrom(equal, { reply, shown })
}

function doubtsFrom(equal: Attempt, { reply, shown }: Pick<Shown, 'reply' | 'shown'>): ChangeDoubt {
  return doubt(
    'equal-change',
    `Status shows a ${shown} over ${money(reply)}, and so would another ${equal.operation} of this order (attempt ` +
      `${JSON.stringify(equal.attemptId)}): which of them it is cannot be told.`,
  )
}

const doubt = (reason: DoubtReason, explanation: string): ChangeDoubt => ({
  reason,
  explanation,
  needsPerson: true,
})

interface Shown {
  readonly attempt: Attempt
  readonly reply: StatusSnapshot
  readonly baseline: StatusSnapshot | undefined
  readonly shown: StageName
}

/** Stages whose amount is the whole that a change without an amount is about. */
const originals: readonly (StageName | undefined)[] = ['preauth', 'sale', 'capture', 'payout-check']

function isOtherMoney({ attempt, reply, baseline, shown }: Shown): boolean {
  if (differ(attempt.currency ?? baseline?.currency, reply.currency)) return true
  if (attempt.amount !== undefined) return reply.amount === undefined || !sameAmount(attempt.amount, reply.amount)
  // A void is always of the whole, and not every gateway says of how much.
  if (shown === 'void' || baseline === undefined || !originals.includes(baseline.stage)) return false
  const { amount } = baseline
  return amount !== undefined && reply.amount !== undefined && !sameAmount(amount, reply.amount)
}

/** A stage of the same name as before is another one only if that had ended, over another amount than this one's. */
function isAnotherThan(
  baseline: StatusSnapshot,
  { attempt, reply, profile }: Pick<ChangeInput, 'attempt' | 'reply' | 'profile'>,
): boolean {
  if (finalOutcome(baseline.status, profile) === undefined || attempt.amount === undefined) return false
  if (baseline.amount === undefined || reply.amount === undefined) return false
  // A text that cannot be read as an amount is not even the same as itself.
  return sameAmount(baseline.amount, baseline.amount) && !sameAmount(baseline.amount, reply.amount)
}

function mayBeEqual(attempt: Attempt, other: Attempt): boolean {
  if (!other.stages.some(stage => attempt.stages.includes(stage))) return false
  if (attempt.amount === undefined || other.amount === undefined) return true
  return sameAmount(attempt.amount, other.amount)
}

const differ = (ours: string | undefined, theirs: string | undefined): boolean =>
  ours !== undefined && theirs !== undefined && ours !== theirs

const money = ({ amount, currency }: StatusSnapshot): string =>
  amount === undefined ? 'an amount that is not said' : `${quoted(amount)} ${quoted(currency ?? '')}`.trimEnd()

const quoted = (text: string): string => text.replace(/[^\w.,-]/g, '').slice(0, 40)

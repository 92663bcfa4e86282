import type { WireProfile } from '@tillkit/protocol'
import { disputeOf } from '../../rules/orders/dispute.js'
import { type KnownStage, wordsOf } from '../../state/known.js'
import { latestOutcome, placesOf } from '../../state/late-approval.js'

/**
 * Whether the handler heard that a person must look. Whatever is certain and approved is marked as such where it was told,
 * so that the amounts are not compared again.
 */
export function isToldAsDisputed(stage: KnownStage, words: number, profile: WireProfile): boolean {
  const isApproved = latestOutcome(stage, profile) === 'approved'
  return (
    words === wordsOf(stage) &&
    (disputeOf(stage, {}, profile) !== undefined || (isApproved && stage.approvalTold !== true))
  )
}

/**
 * The last of so many words of a stage, see `wordsOf`. Undefined: it is the other money, it was not kept, or it was said before a
 * person settled the stage.
 */
export function wordAt({ status, corrections, wordsBefore = 0 }: KnownStage, told: number): string | undefined {
  const words = told - wordsBefore
  return words === 1 ? status : corrections[placesOf(corrections).indexOf(words - 2)]?.to
}

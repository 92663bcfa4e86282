import { latestOutcome } from '../../order/late-approval.js'
import type { WireProfile } from '../../profile/types.js'
import { disputeOf } from '../../store/dispute.js'
import { type KnownStage, wordsOf } from '../../store/document.js'

/**
 * Whether the handler heard that a person must look. Whatever is certain and approved is marked as such where it was told, so that the amounts
 * are not compared again.
 */
export function isToldAsDisputed(stage: KnownStage, words: number, profile: WireProfile): boolean {
  const isApproved = latestOutcome(stage, profile) === 'approved'
  return (
    words === wordsOf(stage) &&
    (disputeOf(stage, {}, profile) !== undefined || (isApproved && stage.approvalTold !== true))
  )
}

/** The last of so many words of a stage, see `wordsOf`: undefined where it is the other money, was not kept, or was said before a person settled it. */
export function wordAt(stage: KnownStage | undefined, told: number): string | undefined {
  const words = told - (stage?.wordsBefore ?? 0)
  if (stage === undefined || words === 1) return stage?.status
  let next = 0
  for (const { nth = next, to } of stage.corrections) {
    if (nth + 2 === words) return to
    next = nth + 1
  }
  return undefined
}

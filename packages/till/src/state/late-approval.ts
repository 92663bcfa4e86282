import { type Correction, type FinalOutcome, finalOutcome, type Stage, type WireProfile } from '@tillkit/protocol'

/** A correction, and which one of its stage it is, from 0 on, where some before it were not kept. Absent: one more than that before it. */
export interface KnownCorrection extends Correction {
  readonly nth?: number
}

/** How a stage has ended by its latest final word; undefined while it has not. */
export function latestOutcome({ outcome, corrections }: Stage, profile: WireProfile): FinalOutcome | undefined {
  const latest = corrections.at(-1)
  return latest === undefined ? outcome : finalOutcome(latest.to, profile)
}

/** Whether a stage was corrected towards approved for the first time, over no other money: it counts as approved. */
export function isApprovedLate(stage: Stage, profile: WireProfile): boolean {
  const { corrections, restated, outcome } = stage
  if (corrections.length === 0 || restated !== undefined || outcome === 'approved') return false
  const outcomes = corrections.map(({ to }) => finalOutcome(to, profile))
  // If some corrections were not kept, one of them may have been an approval.
  const areAllKept = placesOf(corrections).at(-1) === corrections.length - 1
  return areAllKept && outcomes.indexOf('approved') === outcomes.length - 1
}

/** Which correction of its stage each is, counted from 0: one before it may not have been kept. */
export function placesOf(corrections: readonly KnownCorrection[]): readonly number[] {
  let next = 0
  return corrections.map(({ nth = next }) => {
    next = nth + 1
    return nth
  })
}

/** Stages as their money counts: one that was approved late is approved, and no contradiction is left of it. */
export function countedStages<Of extends Stage>(stages: readonly Of[], profile: WireProfile): readonly Of[] {
  if (!stages.some(each => isApprovedLate(each, profile))) return stages
  return stages.map(each =>
    isApprovedLate(each, profile)
      ? { ...each, status: each.corrections.at(-1)?.to ?? each.status, outcome: 'approved', corrections: [] }
      : each,
  )
}

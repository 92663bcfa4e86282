/**
 * The profile's words for stages and statuses, the way the gateway says them.
 *
 * @module
 */
import type { StageName, WireProfile } from '@tillkit/protocol'
import { type Order, type Stage, stageOutcome } from './transactions.js'

/** `transaction-type` of a stage: the profile's first word for it. */
export const transactionType = (stage: StageName, profile: WireProfile): string => wordsFor(stage, profile)[0] ?? stage

/** `order-stage` of a stage, `<family>_<step>`: the profile's first word without a hyphen, and the status. */
export function orderStage(stage: Stage, { profile, now }: { readonly profile: WireProfile; readonly now: number }) {
  const words = wordsFor(stage.stage, profile)
  const family = words.find(word => !word.includes('-')) ?? words[0] ?? stage.stage
  return `${family}_${statusWord(stage, { profile, now })}`
}

/** `status` of a stage: the profile's word for its outcome, else `processing` or `unknown`. */
export function statusWord(
  stage: Stage,
  { profile, now }: { readonly profile: WireProfile; readonly now: number },
): string {
  const outcome = stageOutcome(stage, now)
  return Object.entries(profile.finalStatuses.value).find(([, means]) => means === outcome)?.[0] ?? outcome
}

/** What a stage is about, for replies and callbacks alike. */
export interface StageView {
  readonly order: Order
  readonly stage: Stage
  readonly profile: WireProfile
  /** Milliseconds since the epoch. */
  readonly now: number
}

const wordsFor = (stage: StageName, profile: WireProfile): readonly string[] =>
  Object.entries(profile.stages.value)
    .filter(([, means]) => means === stage)
    .map(([word]) => word)

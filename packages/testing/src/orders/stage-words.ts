import type { StageName, WireProfile } from '@tillkit/protocol'
import { type Order, type Stage, stageOutcome } from './order.js'

/** `transaction-type` of a stage: the profile's first word for it. */
export const transactionType = (stage: StageName, profile: WireProfile): string => wordsFor(stage, profile)[0] ?? stage

/** `order-stage` of a stage, `<family>_<step>`: the profile's first word without a hyphen, and the status, or that of 3DS. */
export function orderStage(stage: Stage, { profile, now }: { readonly profile: WireProfile; readonly now: number }) {
  const words = wordsFor(stage.stage, profile)
  const family = words.find(word => !word.includes('-')) ?? words[0] ?? stage.stage
  const waitsFor3ds =
    stage.threeDSecure !== undefined && stage.threeDSecure.step !== 'done' && stage.verdict === undefined
  return `${family}_${waitsFor3ds ? profile.threeDSecureStage.value : statusWord(stage, { profile, now })}`
}

/** `status` of a stage: the profile's word for its outcome, else `processing` or `unknown`. */
export function statusWord(
  stage: Stage,
  { profile, now }: { readonly profile: WireProfile; readonly now: number },
): string {
  const outcome = stageOutcome(stage, now)
  const words = profile.finalStatuses.value
  // Nearly always the outcome is its own word.
  if (Object.hasOwn(words, outcome) && words[outcome] === outcome && Object.keys(words)[0] === outcome) return outcome
  return Object.entries(words).find(([, means]) => means === outcome)?.[0] ?? outcome
}

/** What a stage is about, for replies and callbacks alike. */
export interface StageView {
  readonly order: Order
  readonly stage: Stage
  readonly profile: WireProfile
  /** Milliseconds since the epoch. */
  readonly now: number
}

function wordsFor(stage: StageName, profile: WireProfile): readonly string[] {
  const words = wordsByStage.get(profile) ?? groupWords(profile)
  return words.get(stage) ?? []
}

/** Kept for as long as the profile is: every status reply asks. */
const wordsByStage = new WeakMap<WireProfile, ReadonlyMap<StageName, readonly string[]>>()

function groupWords(profile: WireProfile): ReadonlyMap<StageName, readonly string[]> {
  const words = new Map<StageName, readonly string[]>()
  for (const [word, means] of Object.entries(profile.stages.value))
    words.set(means, [...(words.get(means) ?? []), word])
  wordsByStage.set(profile, words)
  return words
}

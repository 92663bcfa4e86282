import type { StageName, WireProfile } from '@tillkit/protocol'
import { type Stage, stageOutcome } from '../orders/order.js'

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
  return Object.entries(profile.finalStatuses.value).find(([, means]) => means === outcome)?.[0] ?? outcome
}

const wordsFor = (stage: StageName, { stages }: WireProfile): readonly string[] =>
  Object.entries(stages.value).flatMap(([word, means]) => (means === stage ? [word] : []))

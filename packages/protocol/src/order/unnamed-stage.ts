/**
 * Replies that name no stage, and what they may speak of where a gateway never names one.
 *
 * @module
 */
import type { AnyOperation } from '../operations/operation.js'
import { operations } from '../operations/operations.js'
import type { WireProfile } from '../profile/profile.js'
import type { Order, StatusObservation } from './order.js'
import type { Expectation } from './settle.js'
import { isAwaitedStage, mayRepeat, type StageName } from './stage.js'
import { stageOf } from './status.js'

/** What a reply is looked at with. */
export interface UnnamedInput {
  readonly order: Pick<Order, 'stages'>
  readonly profile: WireProfile
}

/** Stages that a change of an order may start. Of these a reply that names none is never taken to speak. */
const isChangedInto = (stage: StageName): boolean =>
  Object.values<AnyOperation>(operations).some(({ effect, stages }) => effect === 'changes' && stages.includes(stage))

/** The stage that an observation speaks of: the one its reply names, or the one that made the order, see {@link withCreator}. */
export function observedStage(
  { reply, createdBy }: StatusObservation,
  { order, profile }: UnnamedInput,
): StageName | undefined {
  const named = stageOf(reply, profile)
  if (named !== undefined || createdBy === undefined || profile.statusNamesStage.value) return named
  return order.stages.every(({ stage }) => stage === createdBy) ? createdBy : undefined
}

/**
 * The observation, with the stage that made the order where its reply names none and the profile lets it speak of that one:
 * only where nothing else is waited for, and no change of the order leads to such a stage.
 */
export function withCreator(
  observation: StatusObservation,
  { expected, profile }: { readonly expected: Expectation; readonly profile: WireProfile },
): StatusObservation {
  const [only, another] = expected.stages.filter(isAwaitedStage)
  if (profile.statusNamesStage.value || stageOf(observation.reply, profile) !== undefined) return observation
  if (only === undefined || another !== undefined || mayRepeat(only) || isChangedInto(only)) return observation
  return { ...observation, createdBy: only }
}

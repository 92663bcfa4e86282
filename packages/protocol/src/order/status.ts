/**
 * Words of status: which of them end a stage, and which stage a reply is about.
 *
 * @module
 */

import type { AnyOperation } from '../operations/operation.js'
import { operations } from '../operations/operations.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { isAwaitedStage, mayRepeat, type StageName } from '../operations/stages.js'
import type { FinalOutcome, WireProfile } from '../profile/profile.js'
import { maskCardNumbers } from '../redaction/mask-card-number.js'
import type { Expectation, Order, StatusObservation } from './types.js'

/** How `word` ends a stage, or undefined while it is not over. An unknown word ends nothing. */
export function finalOutcome(word: string, profile: WireProfile): FinalOutcome | undefined {
  return ownEntry(profile.finalStatuses.value, word.trim().toLowerCase())
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
    return ownEntry(stages, reply.transactionType.trim().toLowerCase()) ?? 'unrecognized'
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

function ownEntry<Value>(table: { readonly [word: string]: Value }, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** What is needed to tell the stage of a reply. */
export interface UnnamedInput {
  readonly order: Pick<Order, 'stages'>
  readonly profile: WireProfile
}

/** Whether a change of an order may start this stage. A reply without a name is never taken to be about such a stage. */
const isChangedInto = (stage: StageName): boolean =>
  Object.values<AnyOperation>(operations).some(({ effect, stages }) => effect === 'changes' && stages.includes(stage))

/** The stage that an observation is about: the one its reply names, or the one that made the order, see {@link withCreator}. */
export function observedStage(
  { reply, createdBy }: StatusObservation,
  { order, profile }: UnnamedInput,
): StageName | undefined {
  const named = stageOf(reply, profile)
  if (named !== undefined || createdBy === undefined || profile.statusNamesStage.value) return named
  return order.stages.every(({ stage }) => stage === createdBy) ? createdBy : undefined
}

/**
 * The observation, with the stage that made the order where its reply names no stage and the profile lets it be about that one:
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

/**
 * Words of status: which end a stage, and which stage a reply speaks of.
 *
 * @module
 */

import type { StatusResponse } from '../operations/records/status-response.js'
import type { FinalOutcome, WireProfile } from '../profile/profile.js'
import { maskCardNumbers } from '../redaction/mask-card-number.js'
import type { StageName } from './stage.js'

/** How `word` ends a stage, or undefined while it is not over. A word nobody has heard of ends nothing. */
export function finalOutcome(word: string, profile: WireProfile): FinalOutcome | undefined {
  return ownEntry(profile.finalStatuses.value, word.trim().toLowerCase())
}

/**
 * The stage that a status reply speaks of: by `transaction-type`, else by the family of `order-stage`.
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
 * What the gateway calls a stage that this library does not know, in lower case; undefined for one that it knows. Whatever
 * looks like a card number is masked, since an order is kept.
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

import {
  finalOutcome,
  mayRepeat,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { VerifiedCallback } from './check.js'

type Unsigned = VerifiedCallback['unsigned']

/**
 * Whether a status reply shows what a callback says. A callback can overtake status, so a reply that does not show it may still come.
 *
 * A reply shows it with the same final word about the same stage. A reply about a change of the order shows that the stage which made
 * the order was approved: nothing else can be captured, released or returned. A callback about a change is shown by that change alone,
 * since an order can have several.
 *
 * Only the word and the ids of a callback are signed. Somebody who rewrites its type, amount or RRN can have it accepted by another final
 * reply about the same order, or never: no outcome comes from these fields.
 */
export function isShown({ signed, unsigned }: VerifiedCallback, reply: StatusResponse, profile: WireProfile): boolean {
  const outcome = finalOutcome(signed.status, profile)
  if (outcome === undefined) return true
  const stage = stageNamed(unsigned, profile)
  const shown = stageOf(reply, profile)
  if (stage === undefined || shown === undefined || shown === stage) {
    return finalOutcome(reply.status, profile) === outcome && isOfSameMoney({ stage, unsigned }, reply, profile)
  }
  return outcome === 'approved' && !mayRepeat(stage) && shown !== 'unrecognized' && mayRepeat(shown)
}

/** Two returns of one order may differ in nothing but their amount or their number at the acquirer. */
function isOfSameMoney(
  { stage, unsigned }: { readonly stage: StageName | undefined; readonly unsigned: Unsigned },
  reply: StatusResponse,
  profile: WireProfile,
): boolean {
  if (stage === undefined || !mayRepeat(stage)) return true
  const amount = amountNamed(unsigned, profile)
  const rrn = named('processorRrn', unsigned, profile)
  return (
    (amount === undefined || reply.amount === undefined || sameAmount(reply.amount, amount)) &&
    (rrn === undefined || reply.processorRrn === undefined || reply.processorRrn === rrn)
  )
}

/** @returns Undefined for a word that this library does not know: that is no reason to have a callback come again. */
function stageNamed(unsigned: Unsigned, profile: WireProfile): StageName | undefined {
  const type = named('transactionType', unsigned, profile)
  const stage = type === undefined ? undefined : stageOf({ transactionType: type }, profile)
  return stage === 'unrecognized' ? undefined : stage
}

/** @returns Undefined for text that is no amount. */
function amountNamed(unsigned: Unsigned, profile: WireProfile): string | undefined {
  const amount = named('amount', unsigned, profile)
  return amount !== undefined && sameAmount(amount, amount) ? amount : undefined
}

/** @returns Undefined where the field is absent or empty. */
const named = (field: string, unsigned: Unsigned, profile: WireProfile): string | undefined =>
  unsigned[profile.unsignedParameters.value[field] ?? '']?.trim() || undefined

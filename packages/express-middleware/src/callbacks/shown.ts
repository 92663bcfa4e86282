import {
  finalOutcome,
  type KnownOrder,
  type KnownStage,
  mayRepeat,
  type Stage,
  type StageName,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { Answered } from '../outcomes/tell-untold.js'
import type { VerifiedCallback } from './check.js'

/** What is known of an order once status was asked. */
export interface KnownNow {
  readonly order: KnownOrder
  readonly replies: readonly Answered[]
}

/**
 * Whether status has shown what a callback says, now or before. A callback can overtake status: what is not shown yet may still come.
 *
 * Only the word of a callback is signed. Whoever changes its type or amount can make it come again, and nothing else.
 */
export function isShown(
  { signed, unsigned }: Pick<VerifiedCallback, 'signed' | 'unsigned'>,
  { order, replies }: KnownNow,
  profile: WireProfile,
): boolean {
  const outcome = finalOutcome(signed.status, profile)
  // Where there is no more room, nothing more is written down.
  if (outcome === undefined || order.crowded === true) return true
  const stage = stageNamed(unsigned, profile)
  const repeats = stage !== undefined && mayRepeat(stage)
  const amount = repeats ? unsigned[nameOf('amount', profile)] : undefined
  const rrn = repeats ? unsigned[nameOf('processorRrn', profile)] : undefined
  const says = (word: string) => finalOutcome(word, profile) === outcome
  const isAbout = (other: StageName | undefined, of: Pick<Stage, 'amount' | 'processorRrn'>): boolean =>
    (stage === undefined || other === undefined || other === stage) &&
    (amount === undefined || of.amount === undefined || sameAmount(of.amount, amount)) &&
    (rrn === undefined || of.processorRrn === undefined || of.processorRrn === rrn)
  // A person settled which of the words of a stage is so.
  const hasSaid = ({ status, corrections, wordsBefore }: KnownStage): boolean =>
    wordsBefore !== undefined || [status, ...corrections.map(({ to }) => to)].some(says)
  return (
    order.stages.some(each => isAbout(each.stage, each) && hasSaid(each)) ||
    replies.some(({ reply }) => isAbout(stageOf(reply, profile), reply) && says(reply.status))
  )
}

/** The serial numbers of the requests that may be behind a callback: status by none shows the latest stage alone. */
export const serialNumbersOf = (
  { unsigned }: Pick<VerifiedCallback, 'unsigned'>,
  { attempts }: KnownOrder,
  profile: WireProfile,
): readonly string[] => {
  const stage = stageNamed(unsigned, profile)
  const own = attempts.filter(({ stages }) => stage === undefined || stages.includes(stage))
  return own.flatMap(({ end }) => end?.serialNumber ?? []).slice(-mostAsked)
}

/** Most requests that are asked about for one callback. */
const mostAsked = 3

function stageNamed(unsigned: VerifiedCallback['unsigned'], profile: WireProfile): StageName | undefined {
  const type = unsigned[nameOf('transactionType', profile)]
  const stage = type === undefined ? undefined : stageOf({ transactionType: type }, profile)
  // A word that is not known here is no reason to have a callback come again.
  return stage === 'unrecognized' ? undefined : stage
}

const nameOf = (field: string, profile: WireProfile): string => profile.unsignedParameters.value[field] ?? ''

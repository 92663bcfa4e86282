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
import type { Answered, SignedAndUnsigned } from '../outcomes/asked.js'

/** What is known of an order once status was asked. */
export interface KnownNow {
  readonly order: KnownOrder
  readonly replies: readonly Answered[]
}

/**
 * Whether status has shown what a callback says, now or before. A callback can overtake status: what is not shown yet may still come.
 *
 * Only the word of a callback is signed. Somebody who changes its type, amount or RRN can have it delivered once more, or have it taken for one that
 * was shown before.
 */
export function isShown(
  { signed, unsigned }: SignedAndUnsigned,
  { order, replies }: KnownNow,
  profile: WireProfile,
): boolean {
  const outcome = finalOutcome(signed.status, profile)
  // Where there is no more room, nothing more is written down.
  if (outcome === undefined || order.crowded === true) return true
  const stage = stageNamed(unsigned, profile)
  const repeats = stage !== undefined && mayRepeat(stage)
  const amount = repeats ? amountNamed(unsigned, profile) : undefined
  const rrn = repeats ? named('processorRrn', unsigned, profile) : undefined
  const says = (word: string) => finalOutcome(word, profile) === outcome
  const isAbout = (other: StageName | undefined, of: Pick<Stage, 'amount' | 'processorRrn'>): boolean =>
    (stage === undefined || other === undefined || other === stage) &&
    (amount === undefined || of.amount === undefined || sameAmount(of.amount, amount)) &&
    (rrn === undefined || of.processorRrn === undefined || of.processorRrn === rrn)
  return (
    order.stages.some(each => isAbout(each.stage, each) && hasSaid(each, says)) ||
    replies.some(({ reply }) => isAbout(stageOf(reply, profile), reply) && says(reply.status))
  )
}

/** Whether a stage has had such a word. A person settled which of the words of some is so. */
const hasSaid = ({ status, corrections, wordsBefore }: KnownStage, says: (word: string) => boolean): boolean =>
  wordsBefore !== undefined || [status, ...corrections.map(({ to }) => to)].some(says)

/** Whether a reply says what was not known of the order: it may be what a callback was about. */
export const hasNews = ({ order, replies }: KnownNow, profile: WireProfile): boolean =>
  replies.some(({ reply }) => {
    const outcome = finalOutcome(reply.status, profile)
    const name = stageOf(reply, profile)
    const isKnown = (each: KnownStage): boolean =>
      (name === undefined || each.stage === name) && hasSaid(each, word => finalOutcome(word, profile) === outcome)
    return outcome !== undefined && !order.stages.some(isKnown)
  })

/**
 * The serial numbers to ask about as well: those of the requests that may be behind callbacks that are not shown. Status by no number shows the
 * latest stage alone. An order that is under way is not asked about twice.
 */
export function raisedBy(
  callbacks: readonly SignedAndUnsigned[],
  { order, replies }: KnownNow,
  profile: WireProfile,
): readonly string[] {
  if (replies.some(({ reply }) => finalOutcome(reply.status, profile) === undefined)) return []
  const asked = replies.map(({ bySerialNumber }) => bySerialNumber)
  const numbers = callbacks
    .filter(each => !isShown(each, { order, replies }, profile))
    .map(({ unsigned }) => stageNamed(unsigned, profile))
    .flatMap(stage => order.attempts.filter(({ stages }) => stage === undefined || stages.includes(stage)))
    .flatMap(({ end }) => end?.serialNumber ?? [])
  return [...new Set(numbers)].filter(each => !asked.includes(each)).slice(-mostAsked)
}

/** Most requests that are asked about for callbacks. */
const mostAsked = 3

function stageNamed(unsigned: SignedAndUnsigned['unsigned'], profile: WireProfile): StageName | undefined {
  const type = named('transactionType', unsigned, profile)
  const stage = type === undefined ? undefined : stageOf({ transactionType: type }, profile)
  // A word that is not known here is no reason to have a callback come again.
  return stage === 'unrecognized' ? undefined : stage
}

/** @returns undefined for what is no amount. */
function amountNamed(unsigned: SignedAndUnsigned['unsigned'], profile: WireProfile): string | undefined {
  const amount = named('amount', unsigned, profile)
  return amount !== undefined && sameAmount(amount, amount) ? amount : undefined
}

/** @returns undefined where it is absent or empty. */
const named = (field: string, unsigned: SignedAndUnsigned['unsigned'], profile: WireProfile): string | undefined =>
  unsigned[profile.unsignedParameters.value[field] ?? '']?.trim() || undefined

/**
 * Whether status has shown what a callback says. Callbacks are hints: they decide what is asked, and never what is so.
 *
 * @module
 */
import {
  finalOutcome,
  mayRepeat,
  type Stage,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { CallbackSaid, KnownOrder, KnownStage } from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { briefCallback } from '../../state/room.js'
import { present } from '../../state/values.js'

/** A verified callback: its control value covers three items, and anyone may have written the others. */
export interface HeardCallback {
  readonly signed: { readonly status: string; readonly orderId: string; readonly clientOrderId: string }
  readonly unsigned: Readonly<Record<string, string>>
}

/** Everything that is known of an order once status was asked: its replies among it. */
export interface KnownNow {
  readonly order: KnownOrder
  readonly replies: readonly StatusResponse[]
}

/** Says whether callbacks name another order of the gateway than the store has. */
export const isOtherOrder = (known: KnownOrder, orderId: string): boolean =>
  orderId !== '' && known.orderId !== undefined && known.orderId !== orderId

/** Gives the order with the gateway's id, also where only its callbacks name that. */
export const asCallbacksNameIt = (order: KnownOrder, orderId: string): KnownOrder => {
  const id = order.orderId ?? orderId
  return id === '' ? order : { ...order, orderId: id }
}

/** Says whether a reply echoes the ids of an order: one about another order says nothing of this one. */
export const isAbout = (
  reply: StatusResponse,
  { clientOrderId, orderId }: Pick<KnownOrder, 'clientOrderId' | 'orderId'>,
): boolean => reply.clientOrderId === clientOrderId && (orderId === undefined || reply.orderId === orderId)

/** Says whether a reply tells that something was approved. */
export const isApproval = ({ status }: StatusResponse, profile: WireProfile): boolean =>
  finalOutcome(status, profile) === 'approved'

/** For how long a callback is open that is not at hand any more, while status says nothing new, in milliseconds. */
export const hour = 3_600_000

/** A callback of an earlier word that comes sooner after the last word than this was only slower, in milliseconds. */
const minute = 60_000

/** Gives what a callback says of an order, as far as it is kept. */
export function saidBy({ signed, unsigned }: HeardCallback, profile: WireProfile): CallbackSaid {
  const stage = stageNamed(unsigned, profile)
  const repeats = stage !== undefined && mayRepeat(stage)
  const [amount, processorRrn] = repeats
    ? [amountNamed(unsigned, profile), named('processorRrn', unsigned, profile)]
    : []
  const { status } = signed
  const outcome = finalOutcome(status, profile)
  return briefCallback({ status, ...present({ outcome, stage, amount, processorRrn }) })
}

/**
 * Says whether status has shown what a callback says, now or before. A callback can overtake status: what is not shown yet may still come.
 * That something was approved counts once it is written down. A failure may be somebody else's try, of which nothing is kept.
 *
 * Only the word of a callback is signed. Somebody who changes its type, amount or RRN can have it delivered once more,
 * or have it taken for one that was shown before.
 */
export const isSaidShown = (said: CallbackSaid, { order, replies }: KnownNow, profile: WireProfile): boolean =>
  shows(said, { order, replies: said.outcome === 'approved' ? [] : replies }, profile, 'ever')

/** Says whether a callback may take something back that status has approved. */
export const mayTakeBack = (said: CallbackSaid, order: KnownOrder, profile: WireProfile): boolean =>
  order.stages.some(each => {
    const alone = { order: { ...order, stages: [each] }, replies: [] }
    return (
      latestOutcome(each, profile) === 'approved' && shows({ ...said, outcome: 'approved' }, alone, profile, 'ever')
    )
  })

/** The words of a stage by which a callback counts as shown: all that it ever had, or at a moment the last one alone. */
type Counted = 'ever' | { readonly lastAt: number }

/**
 * Says whether status had said what a callback says, and has said something else for a minute. An old callback that comes late looks like
 * that, and so does a new one that overtakes status, where the gateway has taken its last word back.
 *
 * @param at What the store's clock says, in milliseconds.
 */
export const isOverruled = (
  callback: HeardCallback,
  { order, at }: { readonly order: KnownOrder; readonly at: number },
  profile: WireProfile,
): boolean => {
  const [said, known] = [saidBy(callback, profile), { order, replies: [] }]
  return shows(said, known, profile, 'ever') && !shows(said, known, profile, { lastAt: at })
}

function shows(
  { outcome, stage, amount, processorRrn: rrn }: CallbackSaid,
  { order, replies }: KnownNow,
  profile: WireProfile,
  counted: Counted,
): boolean {
  // A full order has no more room: the till writes nothing more down for it.
  if (outcome === undefined || order.crowded === true) return true
  const says = (word: string) => finalOutcome(word, profile) === outcome
  const isOf = (other: StageName | undefined, of: Pick<Stage, 'amount' | 'processorRrn'>): boolean =>
    (stage === undefined || other === undefined || other === stage) &&
    (amount === undefined || of.amount === undefined || sameAmount(of.amount, amount)) &&
    (rrn === undefined || of.processorRrn === undefined || of.processorRrn === rrn)
  // A later word of a stage that failed may be about another one, which has a number of its own.
  const ofLatest = ({ processorRrn: _number, ...stage }: KnownStage): Stage => stage
  return (
    order.stages.some(
      each =>
        isOf(each.stage, each.corrections.length > 0 && outcome !== 'approved' ? ofLatest(each) : each) &&
        (hasSaid(each, says, counted) || (counted === 'ever' && each.outcome === outcome)),
    ) || replies.some(reply => isOf(stageOf(reply, profile), reply) && says(reply.status))
  )
}

/**
 * Says whether a stage has had such a word. A person settled which of the words of some is so: until a minute after status was asked
 * last, any word counts.
 */
const hasSaid = (
  { status, corrections, wordsBefore, askedAt }: KnownStage,
  says: (word: string) => boolean,
  counted: Counted = 'ever',
): boolean => {
  const words = [status, ...corrections.map(({ to }) => to)]
  const last = corrections.at(-1) ?? { to: status, askedAt }
  const isLastAlone = counted !== 'ever' && counted.lastAt - last.askedAt >= minute
  return isLastAlone ? says(last.to) : wordsBefore !== undefined || words.some(says)
}

/** Says whether a reply tells what was not known of the order: a callback may have been about it. */
export const hasNews = ({ order, replies }: KnownNow, profile: WireProfile): boolean =>
  replies.some(reply => {
    const outcome = finalOutcome(reply.status, profile)
    const name = stageOf(reply, profile)
    const isKnown = (each: KnownStage): boolean =>
      (name === undefined || each.stage === name) && hasSaid(each, word => finalOutcome(word, profile) === outcome)
    return outcome !== undefined && !order.stages.some(isKnown)
  })

/**
 * Gives the serial numbers to ask about as well: those of the latest requests that may be behind callbacks that are not shown, and of
 * stages that have one of their own. Status by no number shows the latest stage alone. An order that is under way is not asked about twice.
 */
export function raisedBy(
  callbacks: readonly CallbackSaid[],
  { order, replies }: KnownNow,
  profile: WireProfile,
): readonly string[] {
  if (replies.some(reply => finalOutcome(reply.status, profile) === undefined)) return []
  const numbers = callbacks
    .filter(each => !shows(each, { order, replies }, profile, 'ever'))
    .flatMap(({ stage }) => [
      ...order.attempts
        .filter(({ stages }) => stage === undefined || stages.includes(stage))
        .flatMap(({ end }) => end ?? []),
      ...order.stages.filter(each => stage === undefined || each.stage === stage),
    ])
    .flatMap(({ serialNumber }) => serialNumber ?? [])
  return [...new Set(numbers)].slice(-mostAsked)
}

/** Most requests that are asked about for callbacks: a sender of old ones must not make many questions of each. */
const mostAsked = 10

function stageNamed(unsigned: HeardCallback['unsigned'], profile: WireProfile): StageName | undefined {
  const type = named('transactionType', unsigned, profile)
  const stage = type === undefined ? undefined : stageOf({ transactionType: type }, profile)
  // A word that is not known here is no reason to have a callback come again.
  return stage === 'unrecognized' ? undefined : stage
}

/** @returns undefined for what is no amount. */
function amountNamed(unsigned: HeardCallback['unsigned'], profile: WireProfile): string | undefined {
  const amount = named('amount', unsigned, profile)
  return amount !== undefined && sameAmount(amount, amount) ? amount : undefined
}

/** @returns undefined where it is absent or empty. */
const named = (field: string, unsigned: HeardCallback['unsigned'], profile: WireProfile): string | undefined =>
  unsigned[profile.unsignedParameters.value[field] ?? '']?.trim() || undefined

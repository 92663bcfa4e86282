import {
  type Attempt,
  emptyOrder,
  type RememberedAttempt,
  reduceOrder,
  type StageName,
  type StatusSnapshot,
  type WireProfile,
} from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import type { AnyGatewayError } from '../../errors/errors.js'
import { otherSpellings } from '../../reply/record.js'
import { type Answer, askAbout, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { CannotTellReason, Resolution, ResolveOptions, ResolvePosition, ResolveTimes } from './types.js'

/** Asks status and says what follows for an attempt that creates. */
export async function resolveCreation(
  input: QuestionInput,
  options: ResolveTimes & Pick<ResolveOptions, 'position' | 'connectionClosed'>,
): Promise<Resolution> {
  const { attempt, clientOrderId, settings } = input
  const { profile } = settings
  const answer = await askAbout(input)
  if (answer.kind === 'refused') return absent(answer, { input, options })
  if (answer.kind !== 'reply') return noAnswer(answer)
  const { observation, snapshot } = answer
  const { askedAt } = observation
  const evidence = { askedAt, reply: snapshot }
  const doubts = doubtsAboutCreation(attempt, snapshot)
  if (doubts !== undefined) {
    const explanation = `Status knows an order ${JSON.stringify(clientOrderId)}, and ${doubts.because}.`
    const open = {
      kind: 'cannot-tell-yet',
      reason: doubts.reason,
      explanation,
      evidence,
      needsPerson: true,
    } as const
    // An answer of absence from before says nothing any more: there is an order of this id.
    return options.position === undefined ? open : { ...open, position: withoutAnswer(options.position) }
  }
  const { orderId } = observation.reply
  const order = emptyOrder({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
  return {
    kind: 'happened',
    order: reduceOrder(order, observation, profile),
    explanation: `Status knows the order: ${snapshot.stage ?? 'its stage'} is ${JSON.stringify(snapshot.status.slice(0, 40))}. It was created; wait for its outcome.`,
    evidence,
  }
}

function absent(
  answer: Extract<Answer, { kind: 'refused' | 'failed' }>,
  {
    input: { attempt, settings },
    options,
  }: { readonly input: QuestionInput; readonly options: Parameters<typeof resolveCreation>[1] },
): Resolution {
  const { askedAt, cause } = answer
  const word = settings.profile.orderNeverSeen.value
  const code = 'errorCode' in cause ? cause.errorCode : undefined
  // A gateway that gave the order an id, before or in this answer, has seen it: its answer of absence does not count.
  if (orderIdOf(attempt) !== undefined || namesOrder(cause, settings.profile)) return noAnswer(answer)
  if (word !== undefined && code !== word) return noAnswer(answer)
  if (word === undefined) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'no-word',
      explanation:
        'Status refused the question, and it is not known which error code means that it has never seen an order. Ask ' +
        'the gateway’s support, then say so: defineProfile({ orderNeverSeen }).',
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { address } = settings.baseUrl
  if (attempt.baseUrl !== address) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'another-address',
      explanation: `Status at ${address} says that it has never seen the order, and the attempt was sent to ${attempt.baseUrl}: that may be another gateway. Ask with a client for that address.`,
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { quietPeriod, apart, position, connectionClosed = false } = options
  return judgeAbsence({ attempt, askedAt, position, quietPeriod, apart, connectionClosed })
}

/** Whether a refusal of the question holds an order id, under any name. */
function namesOrder({ orderId, received = {} }: AnyGatewayError, profile: WireProfile): boolean {
  return orderId !== undefined || otherSpellings(received, profile).orderIds.length > 0
}

const withoutAnswer = ({ attemptId, quietSince }: ResolvePosition): ResolvePosition => ({ attemptId, quietSince })

/** Why the order need not be this attempt's; `because` completes "status knows an order, and …". */
export interface CreationDoubt {
  readonly reason: CannotTellReason
  readonly because: string
}

/**
 * Which stages may come after the one that made an order. Status shows the latest stage only, so these say that there was
 * an order of that kind; a stage that is not listed was made by another request.
 */
const mayFollow: { readonly [Original in StageName]?: readonly StageName[] } = {
  sale: ['reversal', 'cancel', 'void', 'chargeback'],
  preauth: ['capture', 'cancel', 'void', 'reversal', 'chargeback'],
  payout: ['reversal', 'cancel', 'void'],
  'payout-check': ['payout', 'reversal', 'cancel', 'void'],
  transfer: ['reversal', 'cancel', 'void'],
  verification: ['cancel', 'void'],
}

/**
 * Judges whether the order that was found may be none of this attempt's.
 *
 * Its first stage is over the very amount; what came later is over no more than that, and in the same currency.
 *
 * @returns undefined when it is the attempt's.
 */
export function doubtsAboutCreation(
  attempt: Pick<Attempt, 'stages' | 'amount' | 'currency'>,
  { stage, amount, currency }: StatusSnapshot,
): CreationDoubt | undefined {
  const { stages } = attempt
  // Where the profile says that status finds subscriptions, any stage that it shows will do.
  const isKnownKind = stages.length > 0
  if (isKnownKind && stage === 'unrecognized') {
    return {
      reason: 'not-shown',
      because: 'shows a stage that the wire profile does not know: see "stages" of defineProfile',
    }
  }
  const isFirst = stage !== undefined && stages.includes(stage)
  const mayBeLater = stage === undefined || stages.some(each => mayFollow[each]?.includes(stage))
  if (isKnownKind && !isFirst && !mayBeLater) return anothers(`it is a ${stage}`)
  if (attempt.currency !== undefined && currency !== undefined && attempt.currency !== currency) {
    return anothers('it is in another currency')
  }
  if (attempt.amount === undefined || amount === undefined) return undefined
  return fits(attempt.amount, { amount, isFirst }) ? undefined : anothers('it is over another amount')
}

function fits(ours: string, { amount, isFirst }: { readonly amount: string; readonly isFirst: boolean }): boolean {
  // What cannot be read as an amount is not even the same as itself.
  const isReadable = sameAmount(ours, ours) && sameAmount(amount, amount)
  return isReadable && (isFirst ? sameAmount(amount, ours) : compareAmounts(amount, ours) <= 0)
}

const anothers = (what: string): CreationDoubt => ({
  reason: 'another-request',
  because: `${what}: another request made it, and this one may have been refused for it or have made another order`,
})

/** An answer of absence, and the way so far. Times are in milliseconds. */
export interface AbsenceInput {
  readonly attempt: RememberedAttempt
  /** When the question was asked, since the epoch. */
  readonly askedAt: number
  readonly position: ResolvePosition | undefined
  readonly quietPeriod: number
  readonly apart: number
  /** Whether the caller says that nothing is on its way. */
  readonly connectionClosed: boolean
}

/**
 * Judges one answer of absence. `no-trace` takes a request of which nothing can be on its way, a quiet period since then,
 * and two answers after it, some time apart.
 */
export function judgeAbsence(input: AbsenceInput): Resolution {
  const { attempt, askedAt, position, quietPeriod, apart } = input
  const quietSince = quietSinceOf(input)
  const evidence = { askedAt }
  const seen = 'Status says that it has never seen the order.'
  if (quietSince === undefined) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'connection-open',
      explanation: `${seen} It is not known that nothing of the request is still on its way: say so with "connectionClosed" once the process that sent it has ended, or its dispatcher was destroyed.`,
      evidence,
      needsPerson: false,
    }
  }
  const { attemptId } = attempt
  if (askedAt - quietSince < quietPeriod) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'quiet-period',
      explanation: `${seen} That counts once nothing was on its way for ${seconds(quietPeriod)}; so far it was ${seconds(askedAt - quietSince)}.`,
      evidence,
      needsPerson: false,
      askAgainAt: quietSince + quietPeriod,
      position: { attemptId, quietSince },
    }
  }
  const first = firstAnswer(position, { from: quietSince + quietPeriod, askedAt })
  if (askedAt - first < apart) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'one-answer',
      explanation: `${seen} A second such answer, ${seconds(apart)} after the first, is needed.`,
      evidence: { ...evidence, neverSeenAt: [first] },
      needsPerson: false,
      askAgainAt: first + apart,
      position: { attemptId, quietSince, neverSeenAt: first },
    }
  }
  return {
    kind: 'no-trace',
    explanation:
      `${seen} It said so twice, ${seconds(askedAt - first)} apart, after nothing of the request had been on its way for ` +
      `${seconds(first - quietSince)}. If you send it again, send the same request under the same order id: should the first still arrive, only a ` +
      'gateway that refuses used ids takes one of the two.',
    evidence: { ...evidence, neverSeenAt: [first, askedAt] },
  }
}

function quietSinceOf({ attempt, askedAt, position, connectionClosed }: AbsenceInput): number | undefined {
  const { end } = attempt
  if (end?.connection !== undefined) return end.at
  // What was said once stays said, and is not moved back: it counts from when it was said.
  if (position !== undefined) return Math.min(position.quietSince, askedAt)
  return connectionClosed ? askedAt : undefined
}

/** An answer from before the quiet period was over, or from the future, does not count. */
function firstAnswer(
  position: ResolvePosition | undefined,
  { from, askedAt }: { readonly from: number; readonly askedAt: number },
): number {
  const { neverSeenAt } = position ?? {}
  return neverSeenAt !== undefined && neverSeenAt >= from && neverSeenAt <= askedAt ? neverSeenAt : askedAt
}

const seconds = (milliseconds: number): string => `${Math.floor(milliseconds / 1000)} s`

/**
 * Judgement of an order that status has never seen: when that means that the request left no trace.
 *
 * @module
 */
import type { RememberedAttempt } from '@tillkit/protocol'
import type { Resolution, ResolvePosition } from './resolution.js'

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
      resolution: 'cannot-tell-yet',
      reason: 'connection-open',
      explanation: `${seen} It is not known that nothing of the request is still on its way: say so with "connectionClosed" once the process that sent it has ended, or its dispatcher was destroyed.`,
      evidence,
      needsPerson: false,
    }
  }
  const { attemptId } = attempt
  if (askedAt - quietSince < quietPeriod) {
    return {
      resolution: 'cannot-tell-yet',
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
      resolution: 'cannot-tell-yet',
      reason: 'one-answer',
      explanation: `${seen} A second such answer, ${seconds(apart)} after the first, is needed.`,
      evidence: { ...evidence, neverSeenAt: [first] },
      needsPerson: false,
      askAgainAt: first + apart,
      position: { attemptId, quietSince, neverSeenAt: first },
    }
  }
  return {
    resolution: 'no-trace',
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

/** An answer from before the quiet period was over, or from the future, is none that counts. */
function firstAnswer(
  position: ResolvePosition | undefined,
  { from, askedAt }: { readonly from: number; readonly askedAt: number },
): number {
  const { neverSeenAt } = position ?? {}
  return neverSeenAt !== undefined && neverSeenAt >= from && neverSeenAt <= askedAt ? neverSeenAt : askedAt
}

const seconds = (milliseconds: number): string => `${Math.floor(milliseconds / 1000)} s`

import { type AbsencePosition, type KnownAttempt, quietFrom } from '../../state/known.js'

/** One answer of absence: status says that it has never seen the order. Times are in milliseconds of one clock. */
export interface AbsenceInput {
  readonly position: AbsencePosition | undefined
  /** The time of the clock before the question was asked. */
  readonly askedAt: number
  /** The time of the clock after the answer had come. */
  readonly answeredAt: number
  /** Since when nothing of the request can be on its way; undefined where that is not known. */
  readonly quietSince: number | undefined
  /** How long nothing may have been on its way before an answer counts. */
  readonly quietPeriod: number
  /** How far apart two answers must be. */
  readonly apart: number
  /**
   * How long before this question was asked the first answer had come, by the monotonic clock of the process that heard both;
   * undefined where another process heard the first one: then `askedAt` alone counts.
   */
  readonly heardFor?: number | undefined
}

/** The verdict that follows from an answer of absence. */
export type AbsenceVerdict =
  | { readonly kind: 'no-trace'; readonly quietSince: number; readonly first: number }
  | { readonly kind: 'connection-open' }
  | { readonly kind: 'quiet-period' | 'one-answer'; readonly askAgainAt: number; readonly position: AbsencePosition }

/**
 * Judges one answer of absence. `no-trace` takes a request of which nothing can be on its way, a quiet period since then, and two
 * answers after it, some time apart. Where one process heard both, they are apart by its own clock too: the other clock may have been
 * set. Each time is taken so that the true pause is at least as long: of the first answer when it had come, of the second when it
 * was asked for.
 */
export function judgeAbsence({
  position,
  askedAt,
  answeredAt,
  quietSince,
  quietPeriod,
  apart,
  heardFor = apart,
}: AbsenceInput): AbsenceVerdict {
  if (quietSince === undefined) return { kind: 'connection-open' }
  const from = quietSince + quietPeriod
  if (askedAt < from) return { kind: 'quiet-period', askAgainAt: from, position: { quietSince } }
  const { neverSeenAt } = position ?? {}
  // An answer from before the quiet period was over, or from the future, does not count.
  const first = neverSeenAt !== undefined && neverSeenAt >= from && neverSeenAt <= askedAt ? neverSeenAt : undefined
  if (first === undefined)
    return { kind: 'one-answer', askAgainAt: answeredAt + apart, position: { quietSince, neverSeenAt: answeredAt } }
  if (askedAt - first >= apart && heardFor >= apart) return { kind: 'no-trace', quietSince, first }
  const askAgainAt = Math.max(first + apart, askedAt + apart - heardFor)
  return { kind: 'one-answer', askAgainAt, position: { quietSince, neverSeenAt: first } }
}

/**
 * Since when nothing of an attempt can be on its way, in milliseconds of the store's clock: its connection was closed or answered; or
 * the process that sent it never said how it ended, and every wait for it is over. Undefined where a dispatcher of the caller's
 * may still have it.
 */
export function quietSinceOf(attempt: KnownAttempt): number | undefined {
  const { end } = attempt
  if (end === undefined) return quietFrom(attempt)
  return end.connection === undefined ? undefined : end.at
}

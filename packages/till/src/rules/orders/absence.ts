import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import { type AbsencePosition, type KnownAttempt, quietFrom } from '../../state/known.js'

/** One answer of absence: status says that it has never seen the order. Times are in milliseconds of one clock. */
export interface AbsenceInput {
  readonly position: AbsencePosition | undefined
  /** The time of the clock before the question was asked, and after the answer had come. */
  readonly askedAt: number
  readonly answeredAt: number
  /** Since when nothing of the request can be on its way; undefined where that is not known. */
  readonly quietSince: number | undefined
  /** How long nothing may have been on its way before an answer counts, and how far apart two answers must be. */
  readonly quietPeriod: number
  readonly apart: number
  /**
   * How long before this question was asked the first answer had come, by the monotonic clock of the process that heard both;
   * undefined where another process heard the first one: then `askedAt` alone counts.
   */
  readonly heardFor?: number | undefined
}

/**
 * Judges one answer of absence. `no-trace` takes a request of which nothing can be on its way, a quiet period since then, and two
 * answers after it, some time apart. Where one process heard both, they are apart by its own clock too: the other clock may have been
 * set. Each time is taken so that the true pause is at least as long: of the first answer when it had come, of the second when it
 * was asked for.
 *
 * @returns How far the way to `no-trace` is gone; undefined: something may be on its way.
 */
export function judgeAbsence({
  position,
  askedAt,
  answeredAt,
  quietSince,
  quietPeriod,
  apart,
  heardFor = apart,
}: AbsenceInput): AbsencePosition | 'no-trace' | undefined {
  if (quietSince === undefined) return undefined
  const from = quietSince + quietPeriod
  if (askedAt < from) return { quietSince }
  const { neverSeenAt: first } = position ?? {}
  // An answer from before the quiet period was over, or from the future, does not count.
  if (first === undefined || first < from || first > askedAt) return { quietSince, neverSeenAt: answeredAt }
  return askedAt - first >= apart && heardFor >= apart ? 'no-trace' : { quietSince, neverSeenAt: first }
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

/**
 * Notices requests whose end nobody wrote down, when every wait for their answer is over: the process that sent them died, or never sent
 * them. A fact. It decides about nothing; the document is on the list `unknown` then.
 *
 * @param at What the store's clock says, in milliseconds.
 * @returns The very document where there is none that was not noticed before.
 */
export function overdueSeen(document: PaymentDocument, at: number): PaymentDocument {
  const isNews = (each: KnownAttempt): boolean =>
    each.end === undefined && each.overdue === undefined && at >= quietFrom(each)
  const facts = document.orders.flatMap(order =>
    order.attempts
      .filter(isNews)
      .map(({ reservation }) => ({ kind: 'overdue', order: nameOf(order), request: reservation }) as const),
  )
  return facts.length === 0 ? document : evolve(document, ...facts)
}

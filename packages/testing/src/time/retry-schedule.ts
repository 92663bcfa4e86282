/**
 * When a callback that was not taken is sent again.
 *
 * Public documents say 30 repetitions within 14 days at growing intervals and no more; the intervals are the fake's own.
 *
 * @module
 */

/** Most times a callback is repeated. */
export const mostRepetitions = 30

/**
 * How long to wait before a repetition, in milliseconds: a minute first, then a third longer each time, 13.3 days in all.
 *
 * @param repetition 1 to {@link mostRepetitions}.
 * @returns undefined when there is none left.
 */
export const repetitionDelay = (repetition: number): number | undefined =>
  repetition > mostRepetitions ? undefined : Math.round(60_000 * 1.34 ** (repetition - 1))

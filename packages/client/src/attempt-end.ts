/**
 * The ending of an attempt, from the conclusion of its call.
 *
 * @module
 */
import type { AttemptEnd } from '@tillkit/protocol'
import type { Answered } from './conclude.js'
import type { Ending } from './observer.js'

/** How an attempt ended. @param at Milliseconds since the epoch. */
export function endOf(
  { ending, orderId, serialNumber, connection }: Answered & { readonly ending: Ending },
  at: number,
): AttemptEnd {
  return {
    // `answered` and `no-answer` are of reads, which are no attempts.
    ending: ending === 'answered' || ending === 'no-answer' ? 'unknown' : ending,
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(connection === undefined ? {} : { connection }),
    at,
  }
}

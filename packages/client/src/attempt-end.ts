/**
 * The ending of an attempt, from the conclusion of its call.
 *
 * @module
 */
import type { AttemptEnd } from '@tillkit/protocol'
import type { Answered } from './conclude.js'
import type { Ending } from './observer.js'
import { present } from './present.js'

/** How an attempt ended. @param at Milliseconds since the epoch. */
export function endOf(
  { ending, orderId, serialNumber, redirectUrl, connection }: Answered & { readonly ending: Ending },
  at: number,
): AttemptEnd {
  // `answered` and `no-answer` are of reads, which are no attempts.
  const word = ending === 'answered' || ending === 'no-answer' ? 'unknown' : ending
  return present({
    ending: word,
    orderId: orderId?.(),
    serialNumber: serialNumber?.(),
    redirectUrl: redirectUrl?.(),
    connection,
    at,
  })
}

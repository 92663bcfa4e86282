/**
 * The ending of an attempt, from the conclusion of its call.
 *
 * @module
 */
import type { AttemptEnd } from '@tillkit/protocol'
import type { Ending } from '../diagnostics/observer.js'
import type { Answered } from '../reply/conclude.js'
import { present } from '../words/present.js'

/** How an attempt ended. @param at Milliseconds since the epoch. */
export function endOf(answered: Answered & { readonly ending: Ending }, at: number): AttemptEnd {
  const { connection, record } = answered
  // `answered` and `no-answer` are of reads, which are no attempts.
  const kind = answered.ending === 'answered' || answered.ending === 'no-answer' ? 'unknown' : answered.ending
  const orderId = record?.orderId()
  const serialNumber = record?.serialNumber()
  const redirectUrl = record?.redirectUrl()
  // Most end like this, and a port may keep thousands: an object of one piece.
  if (orderId !== undefined && serialNumber !== undefined && redirectUrl === undefined && connection !== undefined)
    return { kind, orderId, serialNumber, connection, at }
  return present({ kind, orderId, serialNumber, redirectUrl, connection, at })
}

import { type AttemptEnd, type KnownAttempt, type ReserveDecision, reserveAttempt } from '@tillkit/protocol'
import type { Next } from './next.js'

/** A request as it is asked for. It has no customer's fields: those stay with whoever can send it. */
export interface RequestPlan {
  readonly attempt: Omit<KnownAttempt, 'reservation' | 'reservedAt' | 'sendBy' | 'end' | 'absence' | 'overdue'>
  /** How long the caller waits from the beginning of the run until its end, in milliseconds. */
  readonly timeout: number
}

/**
 * What sending came to. `ended`: it was written down, and this is how it ended. `refused`: what is kept of the payment forbids it, and
 * nothing was sent. `late`: the caller's time was over before it could be written down, and nothing was sent.
 */
export type SendResult =
  | { readonly kind: 'ended'; readonly end: AttemptEnd; readonly reservation: string }
  | { readonly kind: 'refused'; readonly why: Exclude<ReserveDecision, { readonly kind: 'reserved' }> }
  | { readonly kind: 'late' }

/** Sends one request, once: it is written down before its first byte, and how it ended after its last one. */
export const send =
  ({ attempt, timeout }: RequestPlan): Next<SendResult> =>
  ({ payment, heard, at, gate }) => {
    const { request: reservation, end } = heard
    if (reservation !== undefined && end !== undefined)
      return { kind: 'end', result: { kind: 'ended', end, reservation } }
    const left = Math.floor(timeout - heard.passed)
    if (left <= 0) return { kind: 'end', result: { kind: 'late' } }
    const { earliest } = at
    const asked = { ...attempt, reservation: gate, reservedAt: earliest, sendBy: earliest + left }
    const decision = reserveAttempt(payment, asked)
    if (decision.kind !== 'reserved') return { kind: 'end', result: { kind: 'refused', why: decision } }
    // Whatever is kept of it by this name is ours: the run knows its own requests, and does not ask for them again.
    const { document } = decision
    if (document === undefined) throw new Error(`The request ${gate} is there already.`)
    return { kind: 'send', attempt: asked, payment: document }
  }

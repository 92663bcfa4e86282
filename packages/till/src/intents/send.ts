import { type AttemptEnd, echoesIds, type StatusSnapshot, snapshotOf, type WireProfile } from '@tillkit/protocol'
import type { Answer, Question } from '../rules/answer.js'
import { permissionToSend, type SendPermission } from '../rules/orders/reserve.js'
import { nameIn } from '../state/document.js'
import type { KnownAttempt } from '../state/known.js'
import { present } from '../state/values.js'
import type { Next, Scene } from './next.js'

/** A request as it is asked for. It has no customer's fields: those stay with whoever can send it. */
export interface RequestPlan {
  readonly attempt: Omit<
    KnownAttempt,
    'reservation' | 'reservedAt' | 'sendBy' | 'baseline' | 'end' | 'absence' | 'overdue'
  >
  /** How long the caller waits from the beginning of the run until its end, in milliseconds. */
  readonly timeout: number
  /** The question to status before a change that moves money: its answer is kept, to know the change by. */
  readonly before?: { readonly question: Question; readonly profile: WireProfile } | undefined
}

/**
 * The end of sending. `ended`: it was written down, and this is how it ended. `refused`: what is kept of the payment forbids it, and
 * nothing was sent. `late`: the caller's time was over before it could be written down; nothing was sent either.
 */
export type SendResult =
  | { readonly kind: 'ended'; readonly end: AttemptEnd; readonly reservation: string }
  | { readonly kind: 'refused'; readonly why: Exclude<SendPermission, { readonly kind: 'reserved' }> }
  | { readonly kind: 'late' }

/** Sends one request, once: it is written down before its first byte, and how it ended after its last one. */
export const send =
  ({ attempt, timeout, before }: RequestPlan): Next<SendResult> =>
  ({ payment, heard, at, gate }) => {
    const { request: reservation, end } = heard
    if (reservation !== undefined && end !== undefined)
      return { kind: 'end', result: { kind: 'ended', end, reservation } }
    const left = timeout - heard.passed
    if (!(left >= 1)) return { kind: 'end', result: { kind: 'late' } }
    const [answer] = heard.answers
    if (before !== undefined && answer === undefined) return { kind: 'ask', question: before.question }
    const baseline = before === undefined || answer === undefined ? undefined : shown(answer, before.profile)
    const clientOrderId = payment === undefined ? attempt.clientOrderId : nameIn(payment, attempt)
    const named = { ...attempt, ...present({ clientOrderId }) }
    const asked = requested(named, { gate, at, timeout: left, baseline })
    const decision = permissionToSend(payment, asked)
    if (decision.kind !== 'reserved') return { kind: 'end', result: { kind: 'refused', why: decision } }
    // A kept request of this name is the run's own: the run knows its requests, and does not ask for them again.
    const { document } = decision
    if (document === undefined) throw new Error(`The request ${gate} is there already.`)
    return { kind: 'send', attempt: asked, payment: document }
  }

/** A request as it is written down. @param timeout Milliseconds within which its first byte must leave. */
export const requested = (
  attempt: RequestPlan['attempt'],
  {
    gate,
    at: { earliest },
    timeout,
    baseline,
  }: Pick<Scene, 'gate' | 'at'> & Pick<RequestPlan, 'timeout'> & { readonly baseline?: StatusSnapshot | undefined },
): KnownAttempt => ({
  ...attempt,
  reservation: gate,
  reservedAt: earliest,
  sendBy: earliest + Math.floor(timeout),
  ...(baseline === undefined ? {} : { baseline }),
})

/** Reads what status showed of the order. @returns Undefined for nothing that counts: the change goes on without it. */
export function shown(answer: Answer, profile: WireProfile): StatusSnapshot | undefined {
  if (answer.kind !== 'reply' || !echoesIds(answer.reply, answer.question)) return undefined
  return snapshotOf(answer.reply, { askedAt: answer.askedAt, profile })
}

/**
 * The rules an attempts port keeps, as pure functions: which attempts are one and the same, when one is refused, and which
 * ending stays.
 *
 * @module
 */
import type { Attempt, AttemptEnd, RememberedAttempt, Reservation } from './attempt.js'
import { readAttempt } from './read-attempt.js'

/** What makes two attempts the same one. */
export interface AttemptIdentity {
  readonly field: 'clientOrderId' | 'attemptId'
  readonly id: string
}

/** What identifies an attempt: the order it creates; of a change, and of an operation without such an id, itself. */
export function attemptIdentity({ effect, clientOrderId, attemptId }: Attempt): AttemptIdentity {
  return effect === 'creates' && clientOrderId !== undefined
    ? { field: 'clientOrderId', id: clientOrderId }
    : { field: 'attemptId', id: attemptId }
}

/** A key that two attempts share exactly when they are the same one: at the same gateway, for the same merchant. */
export function attemptKey(attempt: Attempt): string {
  const { field, id } = attemptIdentity(attempt)
  return JSON.stringify([attempt.baseUrl, attempt.login, field, id])
}

/**
 * A key that changes of one order share, of which one at a time may be open.
 *
 * @returns undefined for an attempt that creates, or moves no money: a 3DS upload, a card reference.
 */
export function changedOrderKey({ effect, stages, baseUrl, login, orderId }: Attempt): string | undefined {
  if (effect !== 'changes' || stages.length === 0 || orderId === undefined) return undefined
  return JSON.stringify([baseUrl, login, orderId])
}

/** Whether nobody knows what became of an attempt: it has not ended, or ended `unknown` and was not resolved since. */
export function isUnresolved({ end }: { readonly end?: AttemptEnd | undefined }): boolean {
  return (end?.ending ?? 'unknown') === 'unknown'
}

/** Whether an attempt may have arrived: only what did nothing may be sent again. */
export function mayHaveArrived({ end }: RememberedAttempt): boolean {
  return isUnresolved({ end }) || end?.ending === 'accepted'
}

/**
 * Decides whether an attempt may be reserved.
 *
 * @param remembered Attempts with the same `attemptKey` or the same `changedOrderKey`, oldest first; what a store gives back
 * as null is absent. Nothing may be reserved between reading them and noting this one.
 * @throws {TypeError} when one of them is no attempt: then nothing may be sent.
 */
export function refuseAttempt(attempt: Attempt, remembered: readonly RememberedAttempt[]): Reservation {
  if (remembered.length === 0) return { reserved: true }
  const earlier = remembered.map(readAttempt)
  const key = attemptKey(attempt)
  const same = earlier.filter(each => attemptKey(each) === key)
  const arrived = same.find(mayHaveArrived)
  const { fingerprint, operation } = attempt
  const differs = same.some(each => each.fingerprint !== fingerprint || each.operation !== operation)
  const last = arrived ?? (differs ? same.at(-1) : undefined)
  if (last !== undefined) {
    return { reserved: false, reason: differs ? 'other-content' : 'already-sent', earlier: last }
  }
  const order = changedOrderKey(attempt)
  if (order === undefined) return { reserved: true }
  const open = earlier.find(each => changedOrderKey(each) === order && isUnresolved(each))
  return open === undefined ? { reserved: true } : { reserved: false, reason: 'open-change', earlier: open }
}

/**
 * Which of two endings of one attempt stays. `accepted` always does, for an order exists; `unknown` says less than anything
 * said before; otherwise the later one.
 */
export function laterEnd(before: AttemptEnd | undefined, end: AttemptEnd): AttemptEnd {
  if (before === undefined) return end
  return before.ending === 'accepted' || end.ending === 'unknown' ? before : end
}

/**
 * The rules an attempts port keeps, as pure functions: when an attempt is refused, and which end stays.
 *
 * @module
 */
import type { Attempt, AttemptEnd, RememberedAttempt, Reservation } from './attempt.js'
import { attemptIdentity, attemptKey, changedOrderKey } from './attempt-identity.js'
import { readAttempt } from './read-attempt.js'

/** Whether it is not known what became of an attempt: it has not ended, or ended `unknown` and was not resolved since. */
export function isUnresolved({ end }: { readonly end?: AttemptEnd | undefined }): boolean {
  return (end?.kind ?? 'unknown') === 'unknown'
}

/** Whether an attempt may have arrived: only what did nothing may be sent again. */
export function mayHaveArrived({ end }: RememberedAttempt): boolean {
  return isUnresolved({ end }) || end?.kind === 'accepted'
}

/**
 * Decides whether an attempt may be reserved.
 *
 * A change of a whole order is sent once. Another one is reserved when the earlier one is known to have done nothing: it
 * was not sent; it was refused, and the baseline of the new attempt shows no such stage; or it was accepted, and the
 * baseline shows that its stage failed, while its own baseline showed no such stage.
 *
 * @param remembered Attempts with the same `attemptKey` or the same `changedOrderKey`, oldest first; what a store gives back
 * as null is absent. Nothing may be reserved between reading them and noting this one.
 * @throws {TypeError} when one of them is no attempt: then nothing may be sent.
 */
export function refuseAttempt(attempt: Attempt, remembered: readonly RememberedAttempt[]): Reservation {
  if (remembered.length === 0) return { kind: 'reserved' }
  const earlier = remembered.map(readAttempt)
  const key = attemptKey(attempt)
  const same = earlier.filter(each => attemptKey(each) === key)
  const order = changedOrderKey(attempt)
  const changes = order === undefined ? [] : earlier.filter(each => changedOrderKey(each) === order)
  const isWhole = attemptIdentity(attempt).field === 'orderId'
  const refused = isWhole ? refuseWhole(attempt, { same, changes }) : refuseSame(attempt, same)
  if (refused !== undefined) return refused
  const open = changes.find(isUnresolved)
  return open === undefined ? { kind: 'reserved' } : { kind: 'open-change', earlier: open }
}

function refuseSame(attempt: Attempt, same: readonly RememberedAttempt[]): Reservation | undefined {
  const { fingerprint, operation } = attempt
  const arrived = same.find(mayHaveArrived)
  const differs = same.some(each => each.fingerprint !== fingerprint || each.operation !== operation)
  const last = arrived ?? (differs ? same.at(-1) : undefined)
  if (last === undefined) return undefined
  return { kind: differs ? 'other-content' : 'already-sent', earlier: last }
}

interface Related {
  readonly same: readonly RememberedAttempt[]
  /** All changes of the order, these included. */
  readonly changes: readonly RememberedAttempt[]
}

/** What the requests say besides the order, e.g. a comment, does not matter: there is one whole. */
function refuseWhole(attempt: Attempt, { same, changes }: Related): Reservation | undefined {
  const last = same.find(isUnresolved) ?? same.findLast(each => !didNothing(each, { attempt, changes }))
  return last === undefined ? undefined : { kind: 'already-sent', earlier: last }
}

function didNothing(
  { end, baseline: before }: RememberedAttempt,
  { attempt, changes }: { readonly attempt: Attempt } & Pick<Related, 'changes'>,
): boolean {
  const { baseline, stages } = attempt
  const isShown = stages.some(stage => stage === baseline?.stage)
  switch (end?.kind) {
    case 'not-sent':
    case 'no-trace':
      return true
    case 'refused':
      return end.basis === 'person' || (baseline?.stage !== undefined && !isShown)
    case 'accepted': {
      // The stage that status shows is that of the earlier attempt only where no other change can have made it: none that is
      // remembered, and none from elsewhere, which status showed before that attempt was sent and may still show.
      const made = changes.filter(each => mayHaveArrived(each) && each.stages.some(stage => stages.includes(stage)))
      const hasFailed = baseline?.outcome !== undefined && baseline.outcome !== 'approved'
      const wasNotShown = before?.stage !== undefined && !stages.some(stage => stage === before.stage)
      return isShown && wasNotShown && hasFailed && made.length === 1
    }
    default:
      return false
  }
}

/**
 * Which of two ends of one attempt stays. `accepted` always does, for an order exists; `unknown` says less than anything
 * said before; otherwise the later one.
 */
export function laterEnd(before: AttemptEnd | undefined, end: AttemptEnd): AttemptEnd {
  if (before === undefined) return end
  return before.kind === 'accepted' || end.kind === 'unknown' ? before : end
}

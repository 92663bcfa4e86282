import {
  type Attempt,
  type AttemptEnd,
  type AttemptIdentity,
  type Effect,
  noIdAmong,
  notText,
  type StageName,
  type StatusSnapshot,
  withoutNulls,
} from '@tillkit/protocol'

/** An attempt and, once it is over, how it ended. */
export interface RememberedAttempt extends Attempt {
  readonly end?: AttemptEnd
}

/**
 * `reserved`, or why not and the earlier attempt that forbids it. `already-sent`: it has the same identity and may
 * have arrived, or changes the whole order and is not known to have done nothing. `other-content`: it has the same
 * identity and said something else. `open-change`: it changes the same order and its outcome is open.
 */
export type Reservation =
  | { readonly kind: 'reserved' }
  | {
      readonly kind: 'already-sent' | 'other-content' | 'open-change'
      readonly earlier: RememberedAttempt
    }

/** The facts that tell whether a request changes an order as a whole, or a part of it. */
export interface ChangeExtent {
  readonly effect: Effect
  readonly stages: readonly StageName[]
  /** Major units, where the request says one. */
  readonly amount?: string | undefined
}

/** Whether a request moves money of an order that exists: a capture, return or void operation, a payout that was checked. */
export function movesMoneyOfOrder({ effect, stages }: Omit<ChangeExtent, 'amount'>): boolean {
  return effect === 'changes' && stages.length > 0
}

/**
 * Whether a request changes a part of an order: it says an amount. Two equal parts are both legitimate, so only the caller
 * can say which requests are one: with `attemptId`.
 */
export function changesPart(extent: ChangeExtent): boolean {
  return movesMoneyOfOrder(extent) && extent.amount !== undefined
}

/**
 * Gives the id that identifies an attempt. A request that creates an order is identified by that order. A request that changes an
 * order as a whole is identified by that order too, for it can be done once. A request that changes a part of an order, or that moves
 * no money, is identified by the attempt itself.
 */
export function attemptIdentity(attempt: Attempt): AttemptIdentity {
  const { effect, operation, clientOrderId, orderId, attemptId } = attempt
  if (effect === 'creates' && clientOrderId !== undefined) return { field: 'clientOrderId', id: clientOrderId }
  const isWhole = movesMoneyOfOrder(attempt) && attempt.amount === undefined
  if (isWhole && orderId !== undefined) return { field: 'orderId', id: `${operation} ${orderId}` }
  return { field: 'attemptId', id: attemptId }
}

/** A key that two attempts share exactly when they are the same one, for the same merchant. */
export function attemptKey(attempt: Attempt): string {
  const { field, id } = attemptIdentity(attempt)
  // The length tells where the login ends.
  return `${field} ${attempt.login.length} ${attempt.login} ${id}`
}

/**
 * A key that changes of one order share, of which one at a time may be open.
 *
 * @returns undefined for an attempt that creates, or moves no money: a 3DS upload, a card reference.
 */
export function changedOrderKey(attempt: Attempt): string | undefined {
  const { login, orderId } = attempt
  return movesMoneyOfOrder(attempt) && orderId !== undefined ? JSON.stringify([login, orderId]) : undefined
}

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
 * @throws {TypeError} when one of them is not an attempt: then nothing may be sent.
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

/** Fields of the requests besides the order, e.g. a comment, do not matter: there is one whole. */
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
  // Two who say the same each know something: status the order, the answer where its form is.
  if (before.kind === 'accepted' && end.kind === 'accepted') return { ...end, ...before }
  if (before.basis === 'person' && end.basis === 'person') return end
  return before.kind === 'accepted' || end.kind === 'unknown' ? before : end
}

/**
 * Reads an attempt that was kept. A field that is null is absent, in `end` and `baseline` too.
 *
 * @returns The very attempt where nothing in it is null.
 * @throws {TypeError} when it is not an attempt, naming the field that shows it. An amount that is a number is refused, since it
 * lost digits.
 */
export function readAttempt(stored: RememberedAttempt): RememberedAttempt {
  if (typeof stored !== 'object' || stored === null) throw notAnAttempt('it is not an object')
  const attempt = withoutNulls(stored)
  const { effect, stages, end, baseline } = attempt
  if (effect !== 'creates' && effect !== 'changes') throw notAnAttempt('"effect" is neither "creates" nor "changes"')
  if (!Array.isArray(stages)) throw notAnAttempt('"stages" is not a list')
  const missing = required.find(field => attempt[field] === undefined)
  if (missing !== undefined) throw notAnAttempt(`"${missing}" is missing`)
  checkTexts('', attempt, texts)
  checkIds('', attempt)
  const read = { end: readPart('end', end, endTexts), baseline: readPart('baseline', baseline, baselineTexts) }
  if (read.end === end && read.baseline === baseline) return attempt
  return { ...attempt, ...withoutUndefined(read) }
}

const required = ['attemptId', 'operation', 'login', 'baseUrl'] as const satisfies readonly (keyof Attempt)[]

const texts = [
  ...required,
  'endpointId',
  'endpointGroupId',
  'clientOrderId',
  'orderId',
  'amount',
  'currency',
  'recipient',
  'fingerprint',
] satisfies (keyof Attempt)[]

const endTexts = ['kind', 'basis', 'note', 'orderId', 'serialNumber', 'connection'] satisfies (keyof AttemptEnd)[]

const baselineTexts = [
  'status',
  'outcome',
  'stage',
  'amount',
  'currency',
  'serialNumber',
] satisfies (keyof StatusSnapshot)[]

function readPart<Part extends object>(name: string, part: Part | undefined, fields: readonly string[]) {
  if (part === undefined) return undefined
  if (typeof part !== 'object') throw notAnAttempt(`"${name}" is a ${typeof part}`)
  const read = withoutNulls(part)
  checkTexts(`${name}.`, read, fields)
  checkIds(`${name}.`, read)
  return read
}

function checkTexts(prefix: string, of: object, fields: readonly string[]): void {
  const wrong = notText(of, fields)
  if (wrong !== undefined) throw notAnAttempt(`"${prefix}${wrong.field}" is ${wrong.found} and no text`)
}

function checkIds(prefix: string, of: object): void {
  const wrong = noIdAmong(of, ['attemptId', 'clientOrderId', 'orderId', 'serialNumber'])
  if (wrong !== undefined) throw notAnAttempt(`"${prefix}${wrong.field}" is ${wrong.found}`)
}

const notAnAttempt = (why: string): TypeError =>
  new TypeError(
    `What was stored is not an attempt: ${why}. Pass "attempt" of an OutcomeUnknownError, or one as it was reserved.`,
  )

const withoutUndefined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

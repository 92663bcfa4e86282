import {
  type Attempt,
  type AttemptEnd,
  type AttemptsPort,
  createScrubber,
  echoesIds,
  finalOutcome,
  movesMoneyOfOrder,
  notify,
  type RememberedAttempt,
  type Reservation,
  readAttempt,
  type Scrubber,
  type StatusRequest,
  type StatusResponse,
  type StatusSnapshot,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { AlreadySentError, isGatewayError, NotSentError, OpenChangeError } from '../errors/errors.js'
import { describeCause, errorIds, nameRequest, type RequestSubject, safeCause } from '../errors/messages.js'
import { reservationError } from '../errors/reservation-error.js'
import { requestFingerprint, textOf } from '../request/form.js'
import type { CallContext } from '../request/types.js'
import { type Deadline, withDeadline, withTimeLimit } from '../transport/deadline.js'

/** What an attempt is made of, besides its call. */
export interface AttemptInput {
  readonly baseline: StatusSnapshot | undefined
  /** Milliseconds since the epoch. */
  readonly reservedAt: number
}

/** The attempt of a request that creates or changes. */
export function attemptOf(
  { subject, built, request, options, settings }: Omit<CallContext, 'plan' | 'connections' | 'deadline'>,
  { baseline, reservedAt }: AttemptInput,
): Attempt {
  const { row, name, clientOrderId, orderId } = subject
  const { endpoint, attemptId } = options
  const { values } = request
  // With several amounts to try, none of them is the one that is waited for.
  const amount = textOf(values, 'enumerateAmounts') === undefined ? textOf(values, 'amount') : undefined
  const currency = textOf(values, 'currency')
  // What every attempt has, and then what it may have: a port keeps many of them, and one copied from a literal of all would
  // be twice as large.
  const attempt: { -readonly [Field in keyof Attempt]: Attempt[Field] } = {
    attemptId: attemptId ?? settings.attemptId(),
    operation: name,
    effect: row.effect === 'creates' ? 'creates' : 'changes',
    stages: row.stages,
    login: settings.login,
    baseUrl: settings.baseUrl.address,
    fingerprint: requestFingerprint(built, settings),
    reservedAt,
  }
  attempt[endpoint.isGroup ? 'endpointGroupId' : 'endpointId'] = endpoint.id
  if (clientOrderId !== undefined) attempt.clientOrderId = clientOrderId
  if (orderId !== undefined) attempt.orderId = orderId
  if (amount !== undefined) attempt.amount = amount
  if (currency !== undefined) attempt.currency = currency
  if (baseline !== undefined) attempt.baseline = baseline
  return Object.freeze(attempt)
}

/** What reserving goes by. */
export interface ReserveInput {
  readonly subject: RequestSubject
  readonly settings: Settings
  readonly scrubber: Scrubber
  /** Ends the waiting for a port that does not answer. */
  readonly deadline: Deadline
}

/**
 * Has the port reserve an attempt. A port that has not answered by the deadline leaves the request unsent; should it
 * reserve it later, it is told so.
 *
 * @throws What the port rejects with when that is an error of this package, an {@link AlreadySentError} or
 * {@link OpenChangeError} where an earlier request forbids it, {@link NotSentError} otherwise.
 */
export async function reserve(attempt: Attempt, input: ReserveInput): Promise<void> {
  const { settings } = input
  const reservation = settings.attempts === undefined ? undefined : await askPort(settings.attempts, attempt, input)
  if (reservation === undefined || reservation.kind === 'reserved') {
    if (settings.observer.attempt !== undefined) notify(() => settings.observer.attempt?.(attempt))
    return
  }
  throw reservationError(attempt, { ...reservation, earlier: earlierOf(reservation, input) })
}

async function askPort(port: AttemptsPort, attempt: Attempt, input: ReserveInput): Promise<Reservation> {
  const { settings, deadline } = input
  try {
    if (deadline.isOver()) throw deadline.reason()
    const reserving = port.reserve(attempt)
    const result = await withDeadline(reserving, deadline)
    if (result.kind === 'late') {
      // A port written without types may hand over its answer itself.
      void Promise.resolve(reserving)
        .then(late => unreserve(late, { attempt, settings }))
        .catch(() => {})
      throw deadline.reason()
    }
    const kinds: readonly unknown[] = ['reserved', 'already-sent', 'other-content', 'open-change']
    if (!kinds.includes(result.value?.kind)) throw new Error('it answered neither yes nor no')
    return result.value
  } catch (cause) {
    throw isGatewayError(cause) ? cause : notReserved(cause, input)
  }
}

/** A port may be written by anyone, and reads what it remembers from a store. */
function earlierOf({ earlier }: { readonly earlier?: unknown }, input: ReserveInput): RememberedAttempt {
  try {
    if (typeof earlier !== 'object' || earlier === null)
      throw new Error('it said no, and not which earlier attempt is why')
    return readAttempt(earlier as RememberedAttempt)
  } catch (cause) {
    throw notReserved(cause, input)
  }
}

/** What was reserved after its call had given up is not left open. */
async function unreserve(
  { kind }: Reservation,
  { attempt, settings }: { readonly attempt: Attempt; readonly settings: Settings },
): Promise<void> {
  if (kind === 'reserved') await settings.attempts?.settled(attempt, { kind: 'not-sent', at: settings.clock() })
}

function notReserved(cause: unknown, { subject, scrubber }: ReserveInput): NotSentError {
  return new NotSentError(
    `${nameRequest(subject)} was not sent: the attempts port did not reserve it (${describeCause(cause, scrubber)}).`,
    { ...errorIds(subject), cause: safeCause(cause, scrubber) },
  )
}

/** How long a call waits for its ending to be noted, in milliseconds. */
const longestNoting = 5_000

/**
 * Has the port note how an attempt ended. Its failure must not hide the outcome, so it goes to the observer; so does a port
 * that takes longer than five seconds: the call goes on without it.
 */
export async function noteEnd(
  attempt: Attempt,
  { end, settings, scrubber = scrubberOfKeys(settings) }: NoteEndInput,
): Promise<void> {
  const { attempts, observer, wait } = settings
  if (observer.attempt !== undefined) notify(() => observer.attempt?.(attempt, end))
  if (attempts === undefined) return
  try {
    const noting = attempts.settled(attempt, end)
    const noted = await withTimeLimit(noting, { most: longestNoting, wait })
    if (noted.kind === 'late')
      throw new Error(`the attempts port did not note the ending within ${longestNoting} ms; it may still do so`)
  } catch (cause) {
    notify(() => observer.unsettled?.(attempt, safeCause(cause, scrubber)))
  }
}

/** What is noted. */
export interface NoteEndInput {
  readonly end: AttemptEnd
  readonly settings: Settings
  /** That of the request. Default: one for the merchant's keys. */
  readonly scrubber?: Scrubber
}

const scrubberOfKeys = ({ controlKey = '', previousControlKey = '' }: Settings): Scrubber =>
  createScrubber(() => ({ texts: [controlKey, previousControlKey] }))

/** Asks for the state of an order. */
export type AskStatus = (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>

/** The most a baseline may take, in milliseconds; and never more than a third of the call's time. */
const longestAsking = 5_000

/** Whether a request is a change that moves money, and there is a port that remembers what status showed before it. */
export const hasBaseline = ({ subject: { row }, settings }: Pick<CallContext, 'subject' | 'settings'>): boolean =>
  settings.attempts !== undefined && movesMoneyOfOrder(row)

/**
 * Asks status for the baseline of a change that moves money. One question, not repeated: where it fails or its reply is
 * about something else there is no baseline, and the change goes on.
 */
export async function takeBaseline(
  { subject, options, settings, deadline }: CallContext,
  askStatus: AskStatus,
): Promise<StatusSnapshot | undefined> {
  const { clientOrderId, orderId } = subject
  if (clientOrderId === undefined || orderId === undefined || deadline.isOver()) return undefined
  const { endpoint, timeout } = options
  const askedAt = settings.clock()
  try {
    const reply = await askStatus(
      { clientOrderId, orderId },
      {
        ...(endpoint.isGroup ? { endpointGroupId: endpoint.id } : { endpointId: endpoint.id }),
        timeout: Math.min(longestAsking, Math.ceil(timeout / 3)),
        retries: 0,
        signal: deadline.signal(),
      },
    )
    return echoesIds(reply, { clientOrderId, orderId })
      ? snapshotOf(reply, { askedAt, profile: settings.profile })
      : undefined
  } catch {
    return undefined
  }
}

/** What of a status reply may be kept. */
export function snapshotOf(
  reply: StatusResponse,
  { askedAt, profile }: { readonly askedAt: number; readonly profile: WireProfile },
): StatusSnapshot {
  const { status, amount, currency, serialNumber } = reply
  const stage = stageOf(reply, profile)
  const outcome = finalOutcome(status, profile)
  return {
    askedAt,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(stage === undefined ? {} : { stage }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  }
}

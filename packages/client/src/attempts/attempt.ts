import {
  type Attempt,
  type AttemptEnd,
  type AttemptsPort,
  attemptIdentity,
  createScrubber,
  mayHaveArrived,
  notify,
  type RememberedAttempt,
  type Reservation,
  readAttempt,
  type Scrubber,
  type StatusSnapshot,
} from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import { AlreadySentError, isGatewayError, NotSentError, OpenChangeError } from '../errors/errors.js'
import { nameRequest, type RequestSubject } from '../errors/messages.js'
import { describeCause, safeCause } from '../errors/safe-cause.js'
import { requestFingerprint } from '../request/fingerprint.js'
import { textOf } from '../request/form.js'
import type { CallContext } from '../request/types.js'
import { withDeadline, withTimeLimit } from '../transport/deadline.js'
import type { Deadline } from '../transport/types.js'

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
    notify(() => settings.observer.attempt?.(attempt))
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
  const { name, clientOrderId, orderId, login } = subject
  return new NotSentError(
    `${nameRequest(subject)} was not sent: the attempts port did not reserve it (${describeCause(cause, scrubber)}).`,
    { operation: name, login, clientOrderId, orderId, cause: safeCause(cause, scrubber) },
  )
}

/** How long a call waits for its ending to be noted, in milliseconds. */
const longestNoting = 5_000

/**
 * Has the port note how an attempt ended. Its failure must not hide the outcome, so it goes to the observer; so does a port
 * that takes longer than five seconds, which is then no longer waited for.
 */
export async function noteEnd(
  attempt: Attempt,
  { end, settings, scrubber = scrubberOfKeys(settings) }: NoteEndInput,
): Promise<void> {
  const { attempts, observer, wait } = settings
  notify(() => observer.attempt?.(attempt, end))
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

/** Makes the error for a refused reservation. */
export function reservationError(
  attempt: Attempt,
  { kind, earlier }: Exclude<Reservation, { kind: 'reserved' }>,
): AlreadySentError | OpenChangeError {
  const { operation, login, clientOrderId } = attempt
  const orderId = attempt.orderId ?? earlier.end?.orderId
  const details = { operation, login, clientOrderId, orderId }
  const ended = describeEnd(earlier.end)
  if (kind === 'open-change') {
    const message =
      `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent: an earlier ${earlier.operation} of ` +
      `that order ${ended}, and of two open changes it could not be told which one happened. ` +
      (earlier.end === undefined ? 'Wait for it.' : 'Resolve it first: client.resolve(error.openAttempt).')
    return new OpenChangeError(message, { ...details, openAttempt: earlier })
  }
  const { field, id } = attemptIdentity(attempt)
  const named = `"${field}" ${JSON.stringify(id)}`
  const message =
    field === 'orderId'
      ? `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent: an earlier one for the whole of that order ${ended}. ${adviseWhole(earlier)}`
      : kind === 'other-content'
        ? `${named} was used before for another request (${earlier.operation}), which ${ended}. Nothing was sent now. Use a ` +
          `new "${field}" for every new request.`
        : `${named} was sent before and ${ended}. Nothing was sent now. Ask status with the clientOrderId to learn what ` +
          'became of it.'
  return new AlreadySentError(message, {
    ...details,
    field,
    earlier,
    moneyMayHaveMoved: mayHaveArrived(earlier),
  })
}

/** What to do about a change of a whole order, of which one is sent. */
function adviseWhole({ end }: RememberedAttempt): string {
  switch (end?.kind) {
    case undefined:
      return 'Wait for it.'
    case 'unknown':
      return 'Resolve it: client.resolve(error.earlier).'
    case 'accepted':
      return (
        'Ask status with the order ids to learn what became of it. It may be sent again once status, asked just before, ' +
        'shows that it failed and no other change of the order was sent that may be the one shown.'
      )
    default:
      return (
        'It may be sent again once status, asked just before, shows the order without it. Status did not answer, named no ' +
        'stage, or shows such a stage, which another request may have made: a part is sent with an amount and "attemptId".'
      )
  }
}

function describeEnd(end: AttemptEnd | undefined): string {
  switch (end?.kind) {
    case undefined:
      return 'has not ended yet'
    case 'accepted':
      return 'was accepted'
    case 'refused':
      return 'was refused'
    case 'not-sent':
      return 'was never sent'
    case 'no-trace':
      return 'left no trace'
    case 'unknown':
      return 'ended without a known outcome'
  }
}

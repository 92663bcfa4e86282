import {
  type Attempt,
  type AttemptEnd,
  echoesIds,
  movesMoneyOfOrder,
  notify,
  recipientOf,
  type Scrubber,
  type StageName,
  type StatusRequest,
  type StatusResponse,
  type StatusSnapshot,
  StoreError,
  snapshotOf,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { AttemptBook, OnlyWhile, Reserved, Settings } from '../config/settings.js'
import { type RequestSubject, safeCause } from '../errors/messages.js'
import { notReserved, reservationError } from '../errors/reservation-error.js'
import { recordOf, requestFingerprint, textOf } from '../request/form.js'
import type { CallContext } from '../request/types.js'
import { type Deadline, withDeadline, withTimeLimit } from '../transport/deadline.js'
import { longestWait } from './book.js'

/** What an attempt is made of, besides its call. */
export interface AttemptInput {
  readonly baseline: StatusSnapshot | undefined
  /** Milliseconds since the epoch. */
  readonly reservedAt: number
}

/** A request that creates or changes, before it is sent. It has no card data, no key and no signature. */
export type RequestDescription = Omit<Attempt, 'reservation' | 'reservedAt' | 'baseline'>

/** Describes a request. */
export function describeRequest({
  subject,
  built,
  request,
  options,
  settings,
}: Pick<CallContext, 'subject' | 'built' | 'request' | 'options' | 'settings'>): RequestDescription {
  const { row, name, clientOrderId, orderId } = subject
  const { endpoint, attemptId, person } = options
  const { values } = request
  // With several amounts to try, none of them is the one that is waited for.
  const amount = textOf(values, 'enumerateAmounts') === undefined ? textOf(values, 'amount') : undefined
  const currency = textOf(values, 'currency')
  // What every attempt has, and then what it may have: a store in memory keeps many of them, and one copied from a literal of all would
  // be twice as large.
  const described: { -readonly [Field in keyof RequestDescription]: RequestDescription[Field] } = {
    attemptId: attemptId ?? settings.attemptId(),
    operation: name,
    effect: row.effect === 'creates' ? 'creates' : 'changes',
    stages: row.stages,
    login: settings.login,
    baseUrl: settings.baseUrl.address,
    fingerprint: requestFingerprint(built, settings),
  }
  described[endpoint.isGroup ? 'endpointGroupId' : 'endpointId'] = endpoint.id
  if (clientOrderId !== undefined) described.clientOrderId = clientOrderId
  if (orderId !== undefined) described.orderId = orderId
  if (amount !== undefined) described.amount = amount
  if (currency !== undefined) described.currency = currency
  const recipient = row.stages.some(isPayout) ? recipientOf(recordOf(values)) : undefined
  if (recipient !== undefined) described.recipient = recipient
  if (person !== undefined) described.person = person
  return described
}

/** The attempt of a request that creates or changes. */
export function attemptOf(context: CallContext, { baseline, reservedAt }: AttemptInput): Attempt {
  const { settings, kept } = context
  if (kept !== undefined) return kept
  const attempt: { -readonly [Field in keyof Attempt]: Attempt[Field] } = { ...describeRequest(context), reservedAt }
  if (baseline !== undefined) attempt.baseline = baseline
  if (settings.book !== undefined) attempt.reservation = settings.book.newId()
  return Object.freeze(attempt)
}

const isPayout = (stage: StageName): boolean => stage === 'payout' || stage === 'payout-check'

/** What reserving goes by. */
export interface ReserveInput {
  readonly subject: RequestSubject
  readonly settings: Settings
  readonly scrubber: Scrubber
  /** Ends the waiting for a store that does not answer. */
  readonly deadline: Deadline
  readonly onlyWhile?: OnlyWhile | undefined
}

/**
 * Reserves an attempt in the store, if there is one. A store that has not answered by the deadline leaves the request unsent;
 * should it write the reservation later, it is taken back.
 *
 * @throws An {@link AlreadySentError} or {@link OpenChangeError} where an earlier request forbids it, an
 * {@link InvalidRequestError} for an order id that cannot be kept, {@link NotSentError} where the store failed.
 */
export async function reserve(attempt: Attempt, input: ReserveInput): Promise<Reserved | undefined> {
  const { settings, deadline, onlyWhile } = input
  const { book } = settings
  let reservation: Awaited<ReturnType<AttemptBook['reserve']>> | undefined
  try {
    const reserving = book?.reserve(attempt, deadline, onlyWhile)
    const kept = reserving === undefined ? undefined : await withDeadline(reserving, deadline)
    if (kept?.kind === 'late') {
      // It may be reserved in the very moment in which it is given up.
      const at = settings.clock()
      void reserving
        ?.then(late => (late.kind === 'reserved' ? late.ended({ kind: 'not-sent', at }) : undefined))
        .catch(() => {})
      // A store that failed says more than that the time was over, and says it at once. One that was not asked says no more.
      const failure = await failureOf(reserving)
      const reason = deadline.reason()
      const isStores = failure instanceof StoreError && failure.cause instanceof Error && failure.cause !== reason
      throw isStores ? failure : reason
    }
    reservation = kept?.value
  } catch (cause) {
    throw notReserved(cause, input)
  }
  if (reservation !== undefined && reservation.kind !== 'reserved') throw reservationError(attempt, reservation)
  if (settings.observer.attempt !== undefined) notify(() => settings.observer.attempt?.(attempt))
  return reservation
}

/** Within so many turns of the queue a reservation that was waiting to be tried again is given up. */
const mostTurns = 32

/** What a promise rejects with, where it does so by now. */
async function failureOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  let failure: unknown
  promise?.catch(cause => {
    failure = cause
  })
  for (let turn = 0; turn < mostTurns && failure === undefined; turn += 1) await undefined
  return failure
}

/**
 * Notes how an attempt ended. A store that fails must not hide the outcome, so its failure goes to the observer; so does a store
 * that takes longer than five seconds: the call goes on without it, and the ending is written as soon as it can be.
 */
export async function noteEnd(attempt: Attempt, { end, reserved, settings, scrubber }: NoteEndInput): Promise<void> {
  const { observer } = settings
  if (observer.attempt !== undefined) notify(() => observer.attempt?.(attempt, end))
  if (reserved === undefined) return
  await noteWithin(() => reserved.ended(end), { attempt, what: 'the ending', settings, scrubber })
}

/** Waits five seconds at most for a fact about an attempt to be written. What fails or takes longer goes to the observer. */
export async function noteWithin(write: () => Promise<void>, { attempt, what, settings, scrubber }: NoteInput) {
  const { observer, wait } = settings
  try {
    const noted = await withTimeLimit(write(), { most: longestWait, wait })
    if (noted.kind === 'late')
      throw new Error(`the store did not take ${what} within ${longestWait} ms; it is tried again until it does`)
  } catch (cause) {
    notify(() => observer.unsettled?.(attempt, safeCause(cause, scrubber)))
  }
}

interface NoteInput {
  readonly attempt: Attempt
  /** Completes "the store did not take". */
  readonly what: string
  readonly settings: Settings
  readonly scrubber: Scrubber
}

/** What is noted. */
export interface NoteEndInput {
  readonly end: AttemptEnd
  /** Where it was reserved; undefined: there is no store. */
  readonly reserved: Pick<Reserved, 'ended'> | undefined
  readonly settings: Settings
  readonly scrubber: Scrubber
}

/** Asks for the state of an order. */
export type AskStatus = (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>

/** The most a baseline may take, in milliseconds; and never more than a third of the call's time. */
const longestAsking = 5_000

/** Whether a request is a change that moves money, and there is a store that keeps what status showed before it. */
export const hasBaseline = ({ subject: { row }, settings }: Pick<CallContext, 'subject' | 'settings'>): boolean =>
  settings.book !== undefined && movesMoneyOfOrder(row)

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

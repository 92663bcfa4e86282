import {
  type Attempt,
  type AttemptEnd,
  absenceSeen,
  attemptEnded,
  findOrder,
  type KnownAttempt,
  type KnownOrder,
  type ReadDocument,
  type RememberedAttempt,
} from '@tillkit/protocol'
import type { Settings } from '../../config/settings.js'
import { noteEnd, noteWithin } from '../attempt.js'
import { scrubberOfKeys } from '../book.js'
import type { Resolution } from './types.js'

/** What the store has of an attempt, and where its resolution is written. */
export interface Page {
  readonly kind: 'open'
  /** The attempt as the store has it; undefined: there is no store, or it does not have it. */
  readonly kept: KnownAttempt | undefined
  /** What is known of the attempt: as the store has it, and of its end what only the caller was told as well. */
  readonly attempt: RememberedAttempt
  /** Whether the gateway has taken or shown the order of the attempt, in any process. */
  readonly isSeen: boolean
  /** What the store's clock says before anything is asked, in milliseconds; the client's where the store does not have it. */
  readonly at: number
  /** What that clock says now. It rejects where the store does not answer within five seconds. */
  now(): Promise<number>
  /** Whether the gateway has accepted the attempt meanwhile, by what the store has now. */
  isAccepted(): Promise<boolean>
  /** Writes down what a resolution says, and waits for that for five seconds at most. */
  note(resolution: Resolution): Promise<void>
}

/** Opens the page of an attempt. Without an answer of the store nothing can be concluded. */
export async function openPage(
  attempt: RememberedAttempt,
  settings: Settings,
): Promise<Page | Extract<Resolution, { kind: 'cannot-tell-yet' }>> {
  const { book, clock } = settings
  let read: ReadDocument | undefined
  try {
    read = await book?.read(attempt, attempt.login)
  } catch (cause) {
    return silentStore(cause)
  }
  const order = read?.document === undefined ? undefined : findOrder(read.document, attempt)
  const kept = read === undefined ? undefined : keptOf(attempt, read)
  const known = kept === undefined ? attempt : { ...kept, ...endOfBoth(attempt, kept) }
  const note = async (resolution: Resolution): Promise<void> => {
    const end = endAfter(resolution, known, kept ?? attempt)
    if (end !== undefined) {
      await noteEnd(attempt, {
        end,
        reserved: writer(kept ?? asKnown(attempt), settings),
        settings,
        scrubber: scrubberOfKeys(settings),
      })
      return
    }
    const { position } = resolution.kind === 'cannot-tell-yet' ? resolution : {}
    if (position === undefined || kept === undefined) return
    const { attemptId: _, ...absence } = position
    await noteWithin(
      async () => {
        await book?.note(attempt, attempt.login, ({ document }) => absenceSeen(document, kept, absence))
      },
      { attempt, what: 'how far the way to "no-trace" was gone', settings, scrubber: scrubberOfKeys(settings) },
    )
  }
  return {
    kind: 'open',
    kept,
    attempt: known,
    isSeen: known.end?.kind === 'accepted' || (order !== undefined && isThere(order)),
    at: kept === undefined ? clock() : (read?.at ?? clock()),
    now: async () =>
      kept === undefined || book === undefined ? clock() : (await book.read(attempt, attempt.login)).at,
    async isAccepted() {
      const now = await book?.read(attempt, attempt.login)
      return now !== undefined && keptOf(attempt, now)?.end?.kind === 'accepted'
    },
    note,
  }
}

/** What follows where the store does not answer, before status was asked or after it: nothing. */
export const silentStore = (
  cause: unknown,
  evidence: Resolution['evidence'] = {},
): Extract<Resolution, { kind: 'cannot-tell-yet' }> => ({
  kind: 'cannot-tell-yet',
  reason: 'no-store',
  explanation: `The store did not say what it has of the attempt: ${cause instanceof Error ? cause.message : ''}`,
  evidence,
  needsPerson: false,
  cause,
})

/** Whether a status reply or an accepted request says that there is an order. */
const isThere = ({ orderId, stages, attempts }: KnownOrder): boolean =>
  orderId !== undefined || stages.length > 0 || attempts.some(({ end }) => end?.kind === 'accepted')

/** A store that was away does not have what the call was told: the ids of an answer, which say that there is an order. */
function endOfBoth({ end: told }: RememberedAttempt, { end }: KnownAttempt): Pick<RememberedAttempt, 'end'> {
  const both = told === undefined ? end : { ...told, ...end }
  return both === undefined ? {} : { end: both }
}

/** An attempt as a document has it. */
export function keptOf(attempt: Attempt, { document }: ReadDocument): KnownAttempt | undefined {
  const order = document === undefined ? undefined : findOrder(document, attempt)
  const { reservation } = attempt
  return order?.attempts.findLast(each =>
    reservation === undefined
      ? each.attemptId === attempt.attemptId && each.operation === attempt.operation
      : each.reservation === reservation,
  )
}

/** An attempt that the store does not have, as it would have it. */
export const asKnown = (attempt: RememberedAttempt): KnownAttempt => ({
  reservation: attempt.attemptId,
  sendBy: attempt.reservedAt,
  ...attempt,
})

/** What writes the ending of an attempt into its document. */
const writer = (attempt: KnownAttempt, { book, clock }: Settings) =>
  book === undefined
    ? undefined
    : {
        ended: async (end: AttemptEnd): Promise<void> => {
          await book.note(attempt, attempt.login, ({ document, at = clock() }) =>
            attemptEnded(document, attempt, { ...end, at }),
          )
        },
      }

/** The ending that a resolution says, if it is not written yet. Its time is set when it is. */
function endAfter(
  resolution: Resolution,
  attempt: RememberedAttempt,
  { end: written }: RememberedAttempt,
): AttemptEnd | undefined {
  if (resolution.kind === 'cannot-tell-yet' || written?.kind === 'accepted') return undefined
  const at = resolution.evidence.askedAt ?? attempt.reservedAt
  if (resolution.kind === 'no-trace') return { kind: 'no-trace', basis: 'status', at }
  const { orderId } = resolution.order
  const serialNumber = attempt.end?.serialNumber
  return {
    kind: 'accepted',
    basis: 'status',
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    at,
  }
}

import { setMaxListeners } from 'node:events'
import {
  attemptEnded,
  type ChangeOptions,
  createDocuments,
  createScrubber,
  type Decided,
  type DocumentIds,
  type DocumentStore,
  documentKey,
  type KnownAttempt,
  type Patience,
  type PaymentDocument,
  type ReadDocument,
  type ReserveDecision,
  reserveAttempt,
  type Scrubber,
  StoreError,
  type StoreTrouble,
} from '@tillkit/protocol'
import type { Environment } from '../config/options.js'
import type { AttemptBook, MergeFact, Settings } from '../config/settings.js'
import { withTimeLimit } from '../transport/deadline.js'

/** A store, and what of it is this client's. */
export interface BookOptions extends Pick<Settings, 'attemptId' | 'wait' | 'clock' | 'login'> {
  readonly store: DocumentStore
  /** Documents of which name are read and written; undefined: that of the merchant's login. */
  readonly name: string | undefined
  readonly environment: Environment
  /** Hears of a store that fails. */
  readonly onTrouble?: ((trouble: StoreTrouble) => void) | undefined
}

/** How long anything waits for the store besides a reservation, in milliseconds. */
export const longestWait = 5_000

/** Opens the book of a client. */
export function openBook(options: BookOptions): AttemptBook {
  const { store, name, environment, login, attemptId, wait, clock, onTrouble } = options
  const newId = idsOf(attemptId)
  const documents = createDocuments({ store, newId, wait, onTrouble })
  const closed = new AbortController()
  // Each fact that waits for a store listens to it.
  setMaxListeners(0, closed.signal)
  const untilClosed: Patience = { isOver: () => closed.signal.aborted, signal: () => closed.signal }
  const underWay = new Set<Promise<unknown>>()
  const keyOf = (ids: DocumentIds, login: string): string => documentKey(ids, { name: name ?? login, environment })

  /** Keeps track of a fact until it is written. */
  const tracked = <Result>(fact: Promise<Result>): Promise<Result> => {
    underWay.add(fact)
    const over = () => underWay.delete(fact)
    fact.then(over, over)
    return fact
  }

  const note = (
    key: string,
    merge: MergeFact,
    { kind = 'fact', from }: Partial<Pick<ChangeOptions, 'kind' | 'from'>> = {},
  ) => {
    const decide = (read: ReadDocument): Decided<undefined> => ({ result: undefined, document: merge(read) })
    return tracked(documents.change(key, decide, { kind, patience: untilClosed, from }).then(({ read }) => read))
  }

  return {
    payments: Object.freeze({ store, name: name ?? login, environment, login }),
    newId,
    async reserve(attempt, limit, onlyWhile) {
      const key = keyOf(attempt, attempt.login)
      const allowance = Math.ceil(limit.left())
      const { reservation = newId() } = attempt
      /** What may be written of it by now. */
      let known: KnownAttempt | undefined
      const decide = ({ document, at }: ReadDocument): Decided<ReserveDecision> => {
        // Somebody else wrote first: what was to be written at that version never is, unless the document has it.
        if (!hasReservation(document, reservation)) known = undefined
        if (limit.isOver()) throw limit.reason()
        if (onlyWhile !== undefined && (document === undefined || !onlyWhile(document)))
          throw new Error('what it was to be sent for is not so any more')
        const asked = { ...attempt, reservation, reservedAt: at, sendBy: at + allowance }
        const result = reserveAttempt(document, asked)
        if (result.kind !== 'reserved') return { result }
        known = asked
        return { result, document: result.document }
      }
      try {
        const { result, read } = await documents.change(key, decide, { kind: 'gate', patience: limit })
        // A refusal stays one, however late it comes: it says why, and nothing need be taken back.
        if (result.kind !== 'reserved') return result
        if (limit.isOver()) throw limit.reason()
        const sent: KnownAttempt | undefined = known
        if (sent === undefined) throw new Error('the store was not asked')
        const since = clock()
        return {
          kind: 'reserved',
          async ended(end) {
            // An answer is the end that comes most often, and the one whose time decides nothing.
            const from =
              end.kind === 'accepted' ? { ...read, at: read.at + Math.max(0, Math.floor(clock() - since)) } : undefined
            await note(key, ({ document, at }) => attemptEnded(document, sent, { ...end, at }), { from })
          },
        }
      } catch (cause) {
        const never: KnownAttempt | undefined = known
        // It may be written, or be on its way to the store: what says that it was not sent takes its place.
        if (never !== undefined && !(cause instanceof StoreError && cause.code === 'ERR_STORE_REFUSED')) {
          note(key, ({ document, at }) => attemptEnded(document, never, { kind: 'not-sent', at })).catch(() => {})
        }
        throw cause
      }
    },
    async read(ids, login) {
      const limit = new AbortController()
      const patience = { isOver: () => limit.signal.aborted, signal: () => limit.signal }
      try {
        const read = await withTimeLimit(documents.read(keyOf(ids, login), patience), { most: longestWait, wait })
        if (read.kind === 'kept') return read.value
      } finally {
        limit.abort()
      }
      throw new StoreError('ERR_STORE_UNREADABLE', `The store did not answer within ${longestWait} ms.`)
    },
    note: (ids, login, merge, kind = 'fact') => note(keyOf(ids, login), merge, { kind }),
    async decide(ids, login, merge, patience) {
      const decide = (read: ReadDocument): Decided<undefined> => ({ result: undefined, document: merge(read) })
      await documents.change(keyOf(ids, login), decide, { kind: 'gate', patience })
    },
    async close() {
      const limit = new AbortController()
      const all = Promise.allSettled([...underWay])
      await Promise.race([all, wait(longestWait, limit.signal)])
      limit.abort()
      closed.abort()
    },
  }
}

const hasReservation = (document: PaymentDocument | undefined, reservation: string): boolean =>
  document?.orders.some(({ attempts }) => attempts.some(each => each.reservation === reservation)) === true

/** Ids that no other book makes: a random one, and a number. */
function idsOf(random: () => string): () => string {
  let book: string | undefined
  let count = 0
  return () => {
    book ??= random()
    count += 1
    return `${book}.${count}`
  }
}

/** Takes the merchant's keys out of text. */
export const scrubberOfKeys = ({
  controlKey = '',
  previousControlKey = '',
}: Pick<Settings, 'controlKey' | 'previousControlKey'>): Scrubber =>
  createScrubber(() => ({ texts: [controlKey, previousControlKey] }))

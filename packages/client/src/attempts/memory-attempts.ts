import {
  type Attempt,
  type AttemptEnd,
  type AttemptsPort,
  attemptKey,
  changedOrderKey,
  describeValue,
  isUnresolved,
  laterEnd,
  type RememberedAttempt,
  refuseAttempt,
} from '@tillkit/protocol'

/** Options of `memoryAttempts`. */
export interface MemoryAttemptsOptions {
  /**
   * How many attempts that are over are remembered; beyond it the one that ended first is forgotten, and could be sent
   * again. Those whose outcome is open are never forgotten. About a kilobyte each. Default: 20000.
   */
  readonly capacity?: number | undefined
}

/** Attempts in memory, and a look at them. */
export interface MemoryAttempts extends AttemptsPort {
  /** What is remembered, in the order in which it was reserved. */
  list(): readonly RememberedAttempt[]
}

/**
 * Remembers attempts in this process. To refuse what a process before this one sent, hand over an `AttemptsPort` of your
 * own that survives a restart.
 *
 * A `creates` request is refused with an {@link AlreadySentError} when its `clientOrderId` was reserved before with other
 * content, and also with the same content unless that attempt did nothing. A change of a part of an order is refused in the
 * same way by its `attemptId`; a change of the whole order when one was reserved before, unless status shows that it did
 * nothing. Either is refused with an {@link OpenChangeError} while the outcome of another change of its order is open.
 *
 * @throws {TypeError} when `capacity` is no whole number above zero.
 */
export function memoryAttempts({ capacity = 20_000 }: MemoryAttemptsOptions = {}): MemoryAttempts {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError(`"capacity" is ${describeValue(capacity)}; it must be a whole number from 1 on.`)
  }
  let reserved = 0
  const byKey = new Map<string, Entry[]>()
  const byOrder = new Map<string, Entry[]>()
  /** Attempts that are over, in the order in which they ended. */
  const over = new Set<Entry>()
  const sameAs = (attempt: Attempt): readonly Entry[] => byKey.get(attemptKey(attempt)) ?? []
  const changesOf = (order: string | undefined): readonly Entry[] =>
    order === undefined ? [] : (byOrder.get(order) ?? [])

  return {
    async reserve(attempt) {
      const order = changedOrderKey(attempt)
      const reservation = refuseAttempt(attempt, inOrder([...sameAs(attempt), ...changesOf(order)]))
      if (reservation.kind !== 'reserved') return reservation
      reserved += 1
      const entry: Entry = { order, at: reserved, attempt, end: undefined }
      put(byKey, attemptKey(attempt), entry)
      if (order !== undefined) put(byOrder, order, entry)
      return reservation
    },
    async settled(attempt, end) {
      const entry = sameAs(attempt).findLast(each => each.attempt.attemptId === attempt.attemptId)
      if (entry === undefined) return
      entry.end = laterEnd(entry.end, end)
      if (isUnresolved(entry)) return
      over.add(entry)
      const [oldest] = over
      if (over.size <= capacity || oldest === undefined) return
      over.delete(oldest)
      drop(byKey, attemptKey(oldest.attempt), oldest)
      if (oldest.order !== undefined) drop(byOrder, oldest.order, oldest)
    },
    changesOf: async attempt => changesOf(changedOrderKey(attempt)).map(remembered),
    list: () => inOrder([...byKey.values()].flat()),
  }
}

/** One attempt; its end is the only thing here that changes. */
interface Entry {
  /** Its `changedOrderKey`. */
  readonly order: string | undefined
  readonly at: number
  readonly attempt: Attempt
  end: AttemptEnd | undefined
}

const remembered = ({ attempt, end }: Entry): RememberedAttempt => (end === undefined ? attempt : { ...attempt, end })

function put(entries: Map<string, Entry[]>, key: string, entry: Entry): void {
  const kept = entries.get(key)
  if (kept === undefined) entries.set(key, [entry])
  else kept.push(entry)
}

function drop(entries: Map<string, Entry[]>, key: string, entry: Entry): void {
  const others = (entries.get(key) ?? []).filter(each => each !== entry)
  if (others.length === 0) entries.delete(key)
  else entries.set(key, others)
}

/** In the order in which they were reserved, each once. */
const inOrder = (entries: readonly Entry[]): readonly RememberedAttempt[] =>
  [...new Set(entries)].sort((a, b) => a.at - b.at).map(remembered)

import {
  type Attempt,
  type AttemptEnd,
  type AttemptsPort,
  attemptIdentity,
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
  const byLogin = new Map<string, Shelf>()
  const byOrder: Shelf = new Map()
  /** Attempts that are over, as a ring: `oldest` is the place of the first one to end, once it is full. */
  const over: Entry[] = []
  let oldest = 0
  let reserved = 0

  const forget = (entry: Entry): void => {
    const { login } = entry.attempt
    const byId = byLogin.get(login)
    if (byId !== undefined && drop(byId, idOf(entry.attempt), entry) === 0) byLogin.delete(login)
    if (entry.order !== undefined) drop(byOrder, entry.order, entry)
  }
  const withIdOf = (attempt: Attempt): readonly Entry[] => listed(byLogin.get(attempt.login)?.get(idOf(attempt)))
  const related = (attempt: Attempt, order: string | undefined): readonly RememberedAttempt[] => {
    const same = withIdOf(attempt)
    if (same.length === 0 && order === undefined) return []
    const changes = order === undefined ? none : listed(byOrder.get(order))
    return (changes.length === 0 ? same : inOrder([...same, ...changes])).map(remembered)
  }
  return {
    async reserve(attempt) {
      const order = changedOrderKey(attempt)
      const reservation = refuseAttempt(attempt, related(attempt, order))
      if (reservation.kind !== 'reserved') return reservation
      reserved += 1
      const entry: Entry = { order, at: reserved, attempt, end: undefined, isOver: false }
      put(shelfOf(byLogin, attempt.login), idOf(attempt), entry)
      if (order !== undefined) put(byOrder, order, entry)
      return reservation
    },
    async settled(attempt, end) {
      const entry = withIdOf(attempt).findLast(each => isSame(each.attempt, attempt))
      if (entry === undefined) return
      entry.end = laterEnd(entry.end, end)
      if (entry.isOver || isUnresolved(entry)) return
      entry.isOver = true
      const forgotten = over[oldest]
      over[oldest] = entry
      oldest = (oldest + 1) % capacity
      if (forgotten !== undefined) forget(forgotten)
    },
    async changesOf(attempt) {
      const order = changedOrderKey(attempt)
      return order === undefined ? [] : listed(byOrder.get(order)).map(remembered)
    },
    list: () => inOrder([...byLogin.values()].flatMap(byId => [...byId.values()].flatMap(listed))).map(remembered),
  }
}

/** One attempt; its end is the only thing here that changes. */
interface Entry {
  /** Its `changedOrderKey`. */
  readonly order: string | undefined
  readonly at: number
  readonly attempt: Attempt
  end: AttemptEnd | undefined
  /** Whether it has a place among those that are over. */
  isOver: boolean
}

const remembered = ({ attempt, end }: Entry): RememberedAttempt => (end === undefined ? attempt : { ...attempt, end })

/** Entries by a text that several may share. Nearly none do, and a list for each would be one more object that lives. */
type Shelf = Map<string, Entry | readonly Entry[]>

function put(shelf: Shelf, key: string, entry: Entry): void {
  const kept = shelf.get(key)
  shelf.set(key, kept === undefined ? entry : [...listed(kept), entry])
}

function shelfOf(shelves: Map<string, Shelf>, name: string): Shelf {
  const known = shelves.get(name)
  if (known !== undefined) return known
  const made: Shelf = new Map()
  shelves.set(name, made)
  return made
}

/** @returns How many keys are left. */
function drop(shelf: Shelf, key: string, entry: Entry): number {
  const kept = shelf.get(key)
  const others = kept === entry ? none : listed(kept).filter(each => each !== entry)
  if (others.length === 0) shelf.delete(key)
  else shelf.set(key, others)
  return shelf.size
}

const none: readonly Entry[] = []

function listed(kept: Entry | readonly Entry[] | undefined): readonly Entry[] {
  if (kept === undefined) return none
  return isList(kept) ? kept : [kept]
}

const isList = (kept: Entry | readonly Entry[]): kept is readonly Entry[] => Array.isArray(kept)

/** In the order in which they were reserved, each once. */
const inOrder = (entries: readonly Entry[]): readonly Entry[] => [...new Set(entries)].sort((a, b) => a.at - b.at)

/** Shared by all of one login that have one `attemptKey`, and by few others. A whole key is one more text that lives. */
const idOf = (attempt: Attempt): string => attemptIdentity(attempt).id

const isSame = (kept: Attempt, attempt: Attempt): boolean =>
  kept === attempt || (kept.attemptId === attempt.attemptId && attemptKey(kept) === attemptKey(attempt))

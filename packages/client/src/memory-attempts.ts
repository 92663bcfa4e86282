/**
 * Attempts kept in memory: guards one process against sending the same order twice, and forgets on restart.
 *
 * @module
 */
import {
  type Attempt,
  type AttemptEnd,
  type AttemptsPort,
  attemptKey,
  changedOrderKey,
  isUnresolved,
  laterEnd,
  type RememberedAttempt,
  refuseAttempt,
} from '@tillkit/protocol'
import { describeValue } from './describe-value.js'

/** Options of `memoryAttempts`. */
export interface MemoryAttemptsOptions {
  /**
   * How many attempts that are over are remembered; beyond it the one that ended first is forgotten, and could be sent
   * again. Those whose outcome is open are never forgotten. One to two kilobytes each. Default: 20000.
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
 * content, and also with the same content unless that attempt did nothing. A `changes` request is refused when its
 * `attemptId` was reserved before, with the same exception, and with an {@link OpenChangeError} while the outcome of an
 * earlier change of its order is open.
 *
 * @throws {TypeError} when `capacity` is no whole number above zero.
 */
export function memoryAttempts({ capacity = 20_000 }: MemoryAttemptsOptions = {}): MemoryAttempts {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError(`"capacity" is ${describeValue(capacity)}; it must be a whole number from 1 on.`)
  }
  const byKey = new Map<string, Entry[]>()
  /** Attempts that are over, as a ring: `oldest` is the place of the first one to end, once it is full. */
  const over: Entry[] = []
  let oldest = 0
  let reserved = 0

  const forget = (entry: Entry): void => {
    for (const key of entry.keys) {
      const rest = byKey.get(key)?.filter(each => each !== entry) ?? []
      if (rest.length === 0) byKey.delete(key)
      else byKey.set(key, rest)
    }
  }
  const related = (keys: readonly string[]): readonly RememberedAttempt[] => {
    const [first = [], second = []] = keys.map(key => byKey.get(key) ?? [])
    const both = second.length === 0 ? first : [...new Set([...first, ...second])].sort((a, b) => a.at - b.at)
    return both.map(remembered)
  }
  return {
    async reserve(attempt) {
      const keys = keysOf(attempt)
      const reservation = refuseAttempt(attempt, related(keys))
      if (!reservation.reserved) return reservation
      reserved += 1
      const entry: Entry = { keys, at: reserved, attempt, end: undefined, isOver: false }
      for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), entry])
      return reservation
    },
    async settled(attempt, end) {
      const entry = byKey.get(attemptKey(attempt))?.findLast(each => each.attempt.attemptId === attempt.attemptId)
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
      const key = changedOrderKey(attempt)
      return key === undefined ? [] : (byKey.get(key) ?? []).map(remembered)
    },
    list: () => {
      const entries = [...new Set([...byKey.values()].flat())]
      return entries.sort((a, b) => a.at - b.at).map(remembered)
    },
  }
}

/** One attempt; its end is the only thing here that changes. */
interface Entry {
  readonly keys: readonly string[]
  readonly at: number
  readonly attempt: Attempt
  end: AttemptEnd | undefined
  /** Whether it has a place among those that are over. */
  isOver: boolean
}

const remembered = ({ attempt, end }: Entry): RememberedAttempt => (end === undefined ? attempt : { ...attempt, end })

function keysOf(attempt: Attempt): readonly string[] {
  const order = changedOrderKey(attempt)
  return order === undefined ? [attemptKey(attempt)] : [attemptKey(attempt), order]
}

/**
 * Attempts kept in memory: guards one process against sending the same order twice, and forgets on restart.
 *
 * @module
 */
import {
  type Attempt,
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
   * again. Those whose outcome is open are never forgotten. About half a kilobyte each. Default: 20000.
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
  /** Attempts that are over, the first one to end first. */
  const over = new Set<Entry>()
  let reserved = 0

  const forget = (entry: Entry): void => {
    over.delete(entry)
    for (const key of entry.keys) {
      const rest = byKey.get(key)?.filter(each => each !== entry) ?? []
      if (rest.length === 0) byKey.delete(key)
      else byKey.set(key, rest)
    }
  }
  const related = (keys: readonly string[]): readonly RememberedAttempt[] => {
    const [first = [], second = []] = keys.map(key => byKey.get(key) ?? [])
    const both = second.length === 0 ? first : [...new Set([...first, ...second])].sort((a, b) => a.at - b.at)
    return both.map(({ remembered }) => remembered)
  }
  return {
    async reserve(attempt) {
      const keys = keysOf(attempt)
      const reservation = refuseAttempt(attempt, related(keys))
      if (!reservation.reserved) return reservation
      reserved += 1
      const entry: Entry = { keys, at: reserved, remembered: attempt }
      for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), entry])
      return reservation
    },
    async settled(attempt, end) {
      const entry = byKey.get(attemptKey(attempt))?.findLast(each => each.remembered.attemptId === attempt.attemptId)
      if (entry === undefined) return
      entry.remembered = { ...entry.remembered, end: laterEnd(entry.remembered.end, end) }
      if (isUnresolved(entry.remembered)) return
      over.add(entry)
      const [oldest] = over
      if (over.size > capacity && oldest !== undefined) forget(oldest)
    },
    async changesOf(attempt) {
      const key = changedOrderKey(attempt)
      return key === undefined ? [] : (byKey.get(key) ?? []).map(({ remembered }) => remembered)
    },
    list: () => {
      const entries = [...new Set([...byKey.values()].flat())]
      return entries.sort((a, b) => a.at - b.at).map(({ remembered }) => remembered)
    },
  }
}

/** One attempt; the only thing here that changes. */
interface Entry {
  readonly keys: readonly string[]
  readonly at: number
  remembered: RememberedAttempt
}

function keysOf(attempt: Attempt): readonly string[] {
  const order = changedOrderKey(attempt)
  return order === undefined ? [attemptKey(attempt)] : [attemptKey(attempt), order]
}

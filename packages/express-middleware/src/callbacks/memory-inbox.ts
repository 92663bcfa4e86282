import { aCount, aFunction, checkOptions, type Inbox, type InboxClaim, type InboxEntry } from '@tillkit/protocol'
import { systemClock } from '../config/time.js'

/** Options of {@link memoryInbox}. */
export interface MemoryInboxOptions {
  /** Most completed keys that are remembered; the ones completed first are forgotten. A key takes about 300 bytes. Default: 100000. */
  readonly keep?: number
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
}

interface Slot {
  /** Of the latest claim; 0 before there was one. */
  token: number
  /** When the lease of the latest claim is over; absent where no process works on it. */
  heldUntil: number | undefined
  entry: InboxEntry | undefined
  /** Whether something was put in since the latest claim: it is still to be done. */
  hasNews: boolean
  /** `waiting` does not list it before that. */
  delayedUntil: number
}

/**
 * Makes an inbox that lives in this process: it keeps apart the deliveries that reach one process, and forgets when that stops.
 *
 * Every process has one of its own, and a new one after a restart: the merchant's handler may then run once more for an
 * outcome. With several processes, use one that keeps its keys in a database.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function memoryInbox(options: MemoryInboxOptions = {}): Inbox {
  checkOptions('memoryInbox', options, { keep: aCount(), clock: aFunction })
  const { keep = 100_000, clock = systemClock } = options
  const slots = new Map<string, Slot>()
  const completed = new Set<string>()
  let lastToken = 0

  const slotOf = (key: string): Slot => {
    const slot = slots.get(key) ?? { token: 0, heldUntil: undefined, entry: undefined, hasNews: false, delayedUntil: 0 }
    slots.set(key, slot)
    return slot
  }
  const isHeld = ({ heldUntil }: Slot): boolean => heldUntil !== undefined && heldUntil > clock()
  /** The slot of a claim, unless the key was claimed again since or is forgotten. */
  const slotFor = ({ key, token }: InboxClaim): Slot | undefined => {
    const slot = slots.get(key)
    return slot?.token === token ? slot : undefined
  }
  const forgetOldest = (): void => {
    const [oldest] = completed
    if (completed.size <= keep || oldest === undefined) return
    completed.delete(oldest)
    slots.delete(oldest)
  }

  return {
    durable: false,
    async put({ key, payload }) {
      const slot = slotOf(key)
      slot.entry = { key, payload: { ...payload } }
      slot.hasNews = true
      slot.delayedUntil = 0
      completed.delete(key)
    },
    async claim(key, { lease }) {
      const slot = slotOf(key)
      if (completed.has(key)) return { kind: 'completed' }
      if (isHeld(slot)) return { kind: 'held' }
      lastToken += 1
      slot.token = lastToken
      slot.heldUntil = clock() + lease
      slot.hasNews = false
      return { kind: 'claimed', claim: { key, token: lastToken } }
    },
    async complete(claim) {
      const slot = slotFor(claim)
      if (slot === undefined) return false
      slot.heldUntil = undefined
      if (slot.hasNews) return true
      slot.entry = undefined
      completed.add(claim.key)
      forgetOldest()
      return true
    },
    async release(claim, { delay = 0 } = {}) {
      const slot = slotFor(claim)
      if (slot === undefined || completed.has(claim.key)) return
      slot.heldUntil = undefined
      if (slot.entry === undefined) slots.delete(claim.key)
      else slot.delayedUntil = slot.hasNews ? 0 : clock() + delay
    },
    async waiting({ limit }) {
      const now = clock()
      const open = [...slots.values()].filter(slot => !isHeld(slot) && slot.delayedUntil <= now)
      return open.flatMap(({ entry }) => (entry === undefined ? [] : [entry])).slice(0, limit)
    },
  }
}

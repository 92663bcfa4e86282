import { randomUUID } from 'node:crypto'
import { type PaymentPlace, paceKey, prefixesOf } from '../store/keys.js'
import type { DocumentStore, Stored } from '../store/store.js'
import { type BackOffOptions, createBackOff } from './back-off.js'
import { reserveTurns } from './turns.js'

/** Everything that pacing needs of the till. */
export interface PaceOptions extends BackOffOptions {
  readonly store: DocumentStore
  readonly place: PaymentPlace
}

/** Questions a second, where a merchant does not say it. No public page says how many a gateway takes. */
const defaultPerSecond = 10

/** Reads the option. @throws {TypeError} for what is no pace. */
export function readPace({ statusPerSecond = defaultPerSecond }: { readonly statusPerSecond?: number }): number {
  if (Number.isFinite(statusPerSecond) && statusPerSecond > 0) return statusPerSecond
  throw new TypeError(
    `createTill: "statusPerSecond" must be a number above 0, such as 10. Found: ${JSON.stringify(statusPerSecond)}.`,
  )
}

/**
 * How fast accounts are asked: by the work in the background, by those who wait for a payment, and by everybody while a gateway is
 * too busy.
 */
export type Pace = ReturnType<typeof createPace>

/** Most payments that are taken out of the store at once. */
const mostAtOnce = 100

/** After this time a turn that was not used is lost, and what was asked without a turn is noted, in milliseconds. */
const second = 1_000

/** The questions about one account. */
interface Lane {
  readonly key: string
  /** The store had this last; undefined: it is read before it is written. */
  known: { readonly writeId: string | undefined; readonly until: number | undefined } | undefined
  /** By how many milliseconds the store's clock is ahead of ours. */
  ahead: number
  /** Turns that this process has: how many, and when the next one is, by our clock. */
  left: number
  next: number
  apart: number
  /** Those who wait for a turn, one after the other; and those who wait to poll, and when the next one may, by our clock. */
  line: Promise<unknown>
  polls: Promise<void>
  nextPoll: number
  waiting: number
  /** Turns that were given and not used yet. */
  given: number
  /** Questions that were asked without a turn, and that the store does not know of. */
  debt: number
  /** When `debt` was last written down by itself, by our clock. */
  notedAt: number
}

/**
 * Makes the pace of the work in the background: of all processes on one store together, at most so many questions a second about each
 * account. A process writes one number into the store for all that it asks within a second, and nothing while nothing is due, adr/0053.
 */
export function createPace({ store, place, perSecond, clock, wait }: PaceOptions) {
  const batch = Math.min(mostAtOnce, Math.max(1, Math.ceil(perSecond)))
  const lanes = new Map<string, Lane>()
  const laneOf = (login: string): Lane => {
    const lane = lanes.get(login) ?? emptyLane(paceKey(login, place.environment))
    lanes.set(login, lane)
    return lane
  }

  const readLane = async (lane: Lane) => {
    const { at, stored } = await store.read(lane.key)
    lane.ahead = at - clock()
    return knownOf(stored)
  }

  /** Takes turns from the store, and notes there what was asked without one. */
  const take = async (lane: Lane, count: number): Promise<void> => {
    try {
      lane.known ??= await readLane(lane)
      for (;;) {
        const { writeId: after, until: before } = lane.known
        const { debt } = lane
        const { from, apart, until } = reserveTurns(before, { at: clock() + lane.ahead, count, debt, perSecond })
        const entry = { body: JSON.stringify({ v: 1, until }), due: null, list: null }
        const id = randomUUID()
        const written = await store.write(lane.key, entry, { after, id })
        lane.ahead = written.at - clock()
        if (written.kind === 'conflict') {
          lane.known = knownOf(written.current)
          continue
        }
        lane.known = { writeId: id, until }
        lane.debt -= debt
        if (count > 0) Object.assign(lane, { left: count, next: from - lane.ahead, apart })
        return
      }
    } catch (error) {
      // It may have been written, or not.
      lane.known = undefined
      throw error
    }
  }

  const next = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    // Turns that are long over would be used in a heap.
    if (lane.left === 0 || lane.next < clock() - second) await take(lane, Math.min(batch, lane.waiting))
    const pause = lane.next - clock()
    lane.left -= 1
    lane.next += lane.apart
    if (pause > 0) await wait(pause, signal)
    lane.given = Math.min(lane.given + 1, batch)
  }

  const nextPoll = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    const now = clock()
    lane.nextPoll = Math.max(lane.nextPoll, now - second) + second / perSecond
    if (lane.nextPoll > now) await wait(lane.nextPoll - now, signal)
  }

  return {
    ...createBackOff({ perSecond, clock, wait }),
    /** The keys of the till's documents begin with one of these. The work takes no others out of the store. */
    prefixes: prefixesOf(place),
    /** Gives how many payments may be taken out of the store at once now; 0: none. */
    most(): number {
      const waiting = [...lanes.values()].reduce((sum, lane) => sum + lane.waiting, 0)
      return Math.max(0, batch - waiting)
    },
    /** Resolves when status may be asked about an order of a login, and as soon as the signal aborts: then the work ends. */
    async turn(login: string, signal: AbortSignal): Promise<void> {
      const lane = laneOf(login)
      lane.waiting += 1
      const mine = lane.line.then(() => next(lane, signal)).finally(() => (lane.waiting -= 1))
      lane.line = mine.catch(() => undefined)
      await Promise.race([mine, aborted(signal)])
    },
    /**
     * As `turn`, for those who wait here until their payment is over: so many questions a second by this process, whatever others
     * ask. It goes before the background.
     */
    poll(login: string, signal: AbortSignal): Promise<void> {
      const lane = laneOf(login)
      lane.polls = lane.polls.then(() => nextPoll(lane, signal))
      return lane.polls
    },
    /** Status is asked about an order of a login, in its turn or for somebody who waits. */
    asked(login: string): void {
      const lane = laneOf(login)
      if (lane.given > 0) {
        lane.given -= 1
        return
      }
      lane.debt += 1
      if (lane.debt < batch || lane.waiting > 0 || clock() < lane.notedAt + second) return
      lane.notedAt = clock()
      // A store that fails is told with the next turn.
      lane.line = lane.line.then(() => take(lane, 0)).catch(() => undefined)
    },
  }
}

const emptyLane = (key: string): Lane => ({
  key,
  known: undefined,
  ahead: 0,
  left: 0,
  next: 0,
  apart: 0,
  line: Promise.resolve(),
  polls: Promise.resolve(),
  nextPoll: 0,
  waiting: 0,
  given: 0,
  debt: 0,
  notedAt: Number.NEGATIVE_INFINITY,
})

/** A pace that cannot be read counts as none: no money depends on it. */
function knownOf(stored: Stored | undefined): NonNullable<Lane['known']> {
  const known = (until?: unknown) => ({
    writeId: stored?.writeId,
    until: typeof until === 'number' && Number.isFinite(until) ? until : undefined,
  })
  try {
    return known(stored === undefined ? undefined : JSON.parse(stored.body)?.until)
  } catch {
    return known()
  }
}

/** Resolves as soon as the signal has fired. */
export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

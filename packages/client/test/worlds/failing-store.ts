/**
 * The store as one process sees it: it fails before a write is made or after, lags, answers late, is away for a while, and writes
 * what was given up long ago. What it has is true all the same, for it keeps what the contract of `Store` says.
 *
 * @module
 */
import { type DocumentStore, type Store, StoreError, type StoreErrorCode } from '@tillkit/protocol'
import type { FakeClock } from '@tillkit/testing'
import type { Chance } from './chance.js'

/** How a world is at the moment. */
export interface Sky {
  /** How likely something goes wrong, of each call of the store and of each request. */
  trouble: number
  /** Until when the store is away, in milliseconds since the epoch. */
  awayUntil: number
}

/** What a process sees its store through. */
export interface StoreView {
  readonly clock: FakeClock
  readonly chance: Chance
  readonly sky: Sky
  readonly isDead: () => boolean
  /** Called whenever something happens in the process. */
  readonly stir: () => void
}

const minute = 60_000
const failure = (code: StoreErrorCode) => () => new StoreError(code, `It failed with ${code}.`)
const plain = (message: string) => () => new Error(message)

/** The likely ones more often: the lasting ones give up a fact, and then a later question must learn it. */
const failures = {
  read: [
    ...[failure('ERR_STORE_UNREADABLE'), failure('ERR_STORE_UNREADABLE'), plain('connect ECONNREFUSED')],
    ...[failure('ERR_STORE_UNREADABLE'), failure('ERR_STORE_UNKNOWN'), plain('read ECONNRESET')],
    ...[failure('ERR_STORE_SCHEMA'), failure('ERR_STORE_CLOSED'), failure('ERR_STORE_DOCUMENT')],
  ],
  /** By these nothing was written, or it may have been and was not. */
  before: [
    ...[failure('ERR_STORE_REFUSED'), failure('ERR_STORE_REFUSED'), failure('ERR_STORE_UNKNOWN')],
    ...[failure('ERR_STORE_UNKNOWN'), failure('ERR_STORE_UNREADABLE'), plain('write EPIPE')],
    ...[failure('ERR_STORE_SCHEMA'), failure('ERR_STORE_CLOSED'), failure('ERR_STORE_DOCUMENT')],
  ],
  /** By these it may have been written. */
  after: [failure('ERR_STORE_UNKNOWN'), plain('read ECONNRESET'), plain('the standby took over')],
} as const

export const never = <Value>(): Promise<Value> => new Promise(() => {})

/** Makes one process's view of a store. */
export function failingStore(kept: Store, { clock, chance, sky, isDead, stir }: StoreView): DocumentStore {
  /** A way there or back. */
  const travel = async (): Promise<void> => {
    if (sky.trouble > 0 && chance.of(0.4)) await clock.wait(chance.between(1, chance.of(0.1) ? minute : 500))
  }
  /** What comes back to a process: nothing, where it died meanwhile. */
  const back = async <Value>(answer: () => Value): Promise<Value> => {
    await travel()
    stir()
    return isDead() ? never() : answer()
  }
  const fails = (list: readonly (() => Error)[]) => {
    const make = chance.pick(list)
    return back((): never => {
      throw make()
    })
  }
  const isAway = () => clock.now() < sky.awayUntil

  return {
    ...kept,
    async read(key) {
      if (isDead()) return never()
      await travel()
      if (isAway() || chance.of(sky.trouble)) return fails(failures.read)
      const read = await kept.read(key)
      return back(() => read)
    },
    async write(key, entry, options) {
      if (isDead()) return never()
      await travel()
      // What is on its way when its process dies may arrive or not.
      if (isDead() && chance.of(0.5)) return never()
      if (isAway()) return fails(failures.before)
      const fate = chance.of(sky.trouble) ? chance.pick(['before', 'after', 'late', 'slow'] as const) : 'fine'
      if (fate === 'before') return fails(failures.before)
      const later = clock.now() + chance.between(1, chance.of(0.5) ? 5_000 : 5 * minute)
      if (fate === 'late') {
        clock.schedule(later, () => kept.write(key, entry, options).then(() => {}))
        return fails(failures.after)
      }
      if (fate === 'slow') await clock.wait(later - clock.now())
      const written = await kept.write(key, entry, options)
      return fate === 'after' ? fails(failures.after) : back(() => written)
    },
  }
}

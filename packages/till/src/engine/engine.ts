import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { PaymentPlace } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'
import { type DriveOptions, drive } from './driver.js'
import { endOfWait } from './end-of-wait.js'
import { createNews, type News } from './news.js'
import type { Ended } from './run.js'
import { createTurns } from './turns.js'

/** Drives the runs of a till in this process. */
export interface Engine {
  readonly store: DocumentStore
  readonly place: PaymentPlace
  /** Each commit of a run is told here. */
  readonly news: News
  /** Drives a run. @returns What its caller hears. */
  drive<Result>(options: Driving<Result>): Promise<Ended<Result>>
  /**
   * Waits for what is not written down yet, for five seconds at most, and gives up the rest.
   *
   * @param wait Resolves after so many milliseconds.
   */
  close(wait: DriveOptions<unknown>['wait']): Promise<void>
}

/** A run, besides what all runs of a till have in common. */
export type Driving<Result> = Omit<DriveOptions<Result>, 'id' | 'store' | 'turns' | 'news' | 'closed'>

/** A run that begins. */
export type BegunRun<Result> = Pick<DriveOptions<Result>, 'id' | 'key' | 'next' | 'patience' | 'staged' | 'profileOf'>

/**
 * Sees each run that begins, for proofs: what is recorded can be lived again, step by step. It gives what the run goes by in place of its
 * own: an intent whose questions to its plan are recorded as well, and what sees each step. No option and no document names it.
 *
 * @internal
 */
export type Recorder = <Result>(run: BegunRun<Result>) => Pick<DriveOptions<Result>, 'next' | 'profileOf' | 'record'>

const recorderIn = Symbol('recorder')

/** The same store, for a till whose runs are recorded. @internal */
export const recordedBy = <Kept extends object>(store: Kept, recorder: Recorder): Kept => ({
  ...store,
  [recorderIn]: recorder,
})

/** How long closing waits for runs that are under way, in milliseconds. */
export const longestClosing = 5_000

/** Makes what drives the runs of a till. */
export function createEngine({ store, place }: Pick<Engine, 'store' | 'place'>): Engine {
  const closed = new AbortController()
  // Each run that waits for a store listens to it.
  setMaxListeners(0, closed.signal)
  const underWay = new Set<Promise<void>>()
  const turns = createTurns()
  const news = createNews()
  // Off, unless a test has put one there.
  const recorder: Recorder | undefined = Reflect.get(store, recorderIn)
  const name = randomUUID()
  let runs = 0
  return {
    store,
    place,
    news,
    drive(options) {
      runs += 1
      const id = `${name}.${runs}`
      const recorded = recorder?.({ ...options, id })
      const { result, over } = drive({ ...options, ...recorded, id, store, turns, news, closed: closed.signal })
      underWay.add(over)
      void over.then(() => underWay.delete(over))
      return result
    },
    async close(wait) {
      await endOfWait(Promise.allSettled([...underWay]), { most: longestClosing, wait, signal: undefined })
      closed.abort()
    },
  }
}

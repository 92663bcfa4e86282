import { gaveUp } from '../store/persist.js'
import { StoreError } from '../store/store.js'
import type { HeardAt } from './advance.js'
import { endOfWait } from './end-of-wait.js'
import { type Ended, heardSoFar, longestWriting, type Run, waitsForStore } from './run.js'
import type { StoreTime } from './store-time.js'

/** How long the caller of a run waits. */
export interface CallerOptions {
  /** Milliseconds. */
  readonly patience: number
  /** Fires when the caller waits no longer. */
  readonly signal?: AbortSignal | undefined
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** A store that has failed so often until now. */
export interface Failing {
  readonly key: string
  readonly cause: unknown
  readonly failures: number
}

/** The one who waits for a run. */
export interface Caller<Result> {
  /**
   * The time that the run goes by. A caller that left, or heard that nothing was sent, has none left: clocks may differ from the timer that
   * ended its waiting.
   */
  now(): HeardAt
  /** It hears this, unless it has heard something before. */
  hears(ended: Ended<Result>): void
  /** It waits for the store no longer, and hears what there is to say. */
  leaves(run: Run<Result>, failing: Failing): void
  /** Lets it wait for the store until that was heard. @returns Whether it left before, since that takes too long for it. */
  waits(run: Run<Result>, hearing: Promise<unknown>, failing: Failing): Promise<boolean>
}

/** Makes the caller of a run, who is patient as long as its options say. @param answer What it hears; the first time counts. */
export function createCaller<Result>(
  { patience, signal, wait }: CallerOptions,
  time: StoreTime,
  answer: (ended: Ended<Result>) => void,
): Caller<Result> {
  let hasHeard = false
  /** Since when it waits for what has happened to be written down, in milliseconds. */
  let writingSince: number | undefined
  const hears = (ended: Ended<Result>): void => {
    hasHeard = true
    answer(ended)
  }
  const leaves: Caller<Result>['leaves'] = (run, { cause, ...failing }) => {
    hears(heardSoFar(run, failing.failures === 0 ? cause : gaveUp(codeOf(run), { ...failing, cause })))
  }
  const now = (): HeardAt =>
    hasHeard || signal?.aborted === true ? { ...time.now(), passed: Number.POSITIVE_INFINITY } : time.now()
  return {
    now,
    hears,
    leaves,
    async waits(run, hearing, failing) {
      if (hasHeard || !waitsForStore(run)) return false
      const { monotonic } = time.read()
      if (run.saying !== undefined) writingSince ??= monotonic
      // A caller that leaves does not change that something has happened, and is to be written down.
      const limit =
        writingSince === undefined
          ? { most: patience - now().passed, signal }
          : { most: longestWriting - (monotonic - writingSince), signal: undefined }
      const ended = await endOfWait(hearing, { ...limit, wait })
      if (ended === undefined) return false
      const { failures } = failing
      const why = ended === 'signal' ? signal?.reason : timeIsOver(run, failing)
      leaves(run, { ...failing, cause: failures === 0 ? why : failing.cause })
      return true
    },
  }
}

const codeOf = ({ doing }: Run<unknown>) => (doing.kind === 'read' ? 'ERR_STORE_UNREADABLE' : 'ERR_STORE_UNKNOWN')

function timeIsOver(run: Run<unknown>, { key }: Pick<Failing, 'key'>): Error {
  const { doing, saying, patience } = run
  if (saying !== undefined)
    return new StoreError(
      'ERR_STORE_UNKNOWN',
      `the store did not take it within ${longestWriting} ms; it is tried again until it does`,
    )
  const what = `${doing.kind === 'read' ? 'read' : 'write'} ${JSON.stringify(key)}`
  const message = `The store did not ${what} within ${patience} ms. Is the database up and reachable?`
  return new StoreError(codeOf(run), message)
}

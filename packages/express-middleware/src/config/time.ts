import { setImmediate } from 'node:timers'

/** Waits that many milliseconds, or until `signal` aborts. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** The system clock, in milliseconds since the epoch. */
export const systemClock = (): number => Date.now()

/** Waits with a timer that does not keep the process alive. */
export const systemWait: Wait = (milliseconds, signal) =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end)
  })

/** The same wait, which resolves when it is aborted: those of `node:timers/promises` reject. Any other failure stays one. */
export const resolvingWait =
  (wait: Wait): Wait =>
  async (milliseconds, signal) => {
    try {
      await wait(milliseconds, signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }

/** A reason of our own: to make the usual one takes longer than all else about a deadline. */
const inTime = 'It was done in time.'

/** @returns What `work` comes to, or what `late` returns or throws once the time is over. The work itself goes on then. */
export async function withDeadline<Result>(
  work: Promise<Result>,
  { milliseconds, wait, late }: { readonly milliseconds: number; readonly wait: Wait; readonly late: () => Result },
): Promise<Result> {
  const ended = new AbortController()
  const over = new Promise<void>(resolve => {
    // A wait that fails is over at once: that shows, where one that never ends would not.
    const finish = () => {
      if (!ended.signal.aborted) resolve()
    }
    wait(milliseconds, ended.signal).then(finish, finish)
  })
  try {
    return await Promise.race([work, over.then(late)])
  } finally {
    ended.abort(inTime)
  }
}

/** Kept from when this was loaded: a test may replace the timers later and never run them. */
const immediately = setImmediate

let ending: Promise<void> | undefined

/** Resolves at the end of this turn of the event loop, for all who wait for it: callbacks of one turn are verified together, adr/0028. */
export function atEndOfTurn(): Promise<void> {
  ending ??= new Promise(resolve => {
    immediately(() => {
      ending = undefined
      resolve()
    })
  })
  return ending
}

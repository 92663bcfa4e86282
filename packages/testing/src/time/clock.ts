import { aFlag, aFunction, checkOptions, type OptionTable, required } from '@tillkit/protocol'
import { createQueue, type Timed } from './queue.js'
import { createRing } from './ring.js'

/** Something scheduled that can still be called off. */
export interface Scheduled {
  cancel(): void
}

/** One time that a clock was advanced. */
export interface ClockJump {
  /** The clock's time before, in milliseconds since the epoch. */
  readonly at: number
  /** How far, in milliseconds. */
  readonly milliseconds: number
}

/** A clock whose time is that of a base clock plus all it was advanced by. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** What {@link now} would be if the clock had not been advanced: the base clock's time, in milliseconds since the epoch. */
  base(): number
  /**
   * Moves the clock forward by `milliseconds` and runs what falls due, one by one in the order of its time, each at its
   * time. Resolves when all of it is done. Do not await it from a scheduled task.
   */
  advance(milliseconds: number): Promise<void>
  /** Runs `task` once the clock reaches `at`, in milliseconds since the epoch. */
  schedule(at: number, task: () => void | Promise<void>): Scheduled
  /**
   * Resolves `milliseconds` later on this clock, or when `signal` aborts: the option `wait` of a client, so that its
   * polling takes no time either.
   */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** The latest thousand times that it was advanced, oldest first. */
  jumps(): readonly ClockJump[]
  /** When the next thing falls due, in milliseconds since the epoch. @returns undefined when nothing is scheduled. */
  nextAt(): number | undefined
  /** Calls everything off and lets go of the timer. The clock still tells the time. */
  clear(): void
}

/** What a clock is made from. */
export interface FakeClockOptions {
  /** Milliseconds since the epoch; a constant function makes a clock that stands still until it is advanced. */
  readonly base: () => number
  /** Whether time passing by itself runs what falls due. Its timer does not keep a process alive. Default: false. */
  readonly realTime?: boolean
}

interface Entry extends Timed {
  readonly task: () => void | Promise<void>
}

/** The longest step and delay that are accepted, ten years in milliseconds: a `Date` ends in the year 275760. */
export const longestStep = 315_576_000_000

/** Longest time a timer of Node.js takes, in milliseconds. */
const longestTimer = 2_147_483_647

const optionTable: OptionTable<FakeClockOptions> = { base: required(aFunction), realTime: aFlag }

/**
 * Makes a clock that can be advanced.
 *
 * @throws {TypeError} naming the option that cannot work.
 */
export function createFakeClock(options: FakeClockOptions): FakeClock {
  checkOptions('createFakeClock', options, optionTable)
  const { base, realTime = false } = options
  let offset = 0
  const queue = createQueue<Entry>()
  let timer: NodeJS.Timeout | undefined
  let advancing: Promise<void> = Promise.resolve()
  let advances = 0
  const jumps = createRing<ClockJump>(1_000)

  const now = (): number => base() + offset
  const add = (entry: Entry): Scheduled => {
    queue.add(entry)
    // The timer is set already for what comes before it.
    if (queue.first() === entry) arm()
    return { cancel: () => queue.remove(entry) }
  }
  const earliestUntil = (end: number): Entry | undefined => {
    const first = queue.first()
    return first !== undefined && first.at <= end ? first : undefined
  }

  /** A failure of a task is for the code that scheduled it to record. */
  const run = async (entry: Entry): Promise<void> => {
    queue.remove(entry)
    await Promise.resolve()
      .then(entry.task)
      .catch(() => undefined)
  }

  const arm = (): void => {
    clearTimeout(timer)
    const next = queue.first()
    if (!realTime || advances > 0 || next === undefined) return
    timer = setTimeout(fire, Math.min(Math.max(0, next.at - now()), longestTimer))
    timer.unref()
  }
  const fire = (): void => {
    const due = earliestUntil(now())
    if (due === undefined) arm()
    else void run(due).finally(arm)
  }

  const advanceTo = async (end: number): Promise<void> => {
    for (let due = earliestUntil(end); due !== undefined; due = earliestUntil(end)) {
      offset += Math.max(0, due.at - now())
      await run(due)
    }
    offset += Math.max(0, end - now())
  }

  return {
    now,
    base,
    advance(milliseconds) {
      if (!(milliseconds >= 0)) {
        return Promise.reject(new RangeError(`"milliseconds" is ${milliseconds}; a clock only goes forward.`))
      }
      advances += 1
      advancing = advancing
        .then(() => {
          jumps.add(Object.freeze({ at: now(), milliseconds }))
          return advanceTo(now() + milliseconds)
        })
        .finally(() => {
          advances -= 1
          arm()
        })
      return advancing
    },
    schedule: (at, task) => add({ at, task }),
    wait: (milliseconds, signal) =>
      new Promise(resolve => {
        if (milliseconds <= 0 || signal?.aborted === true) return resolve()
        const end = (): void => {
          scheduled.cancel()
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const scheduled = add({ at: now() + milliseconds, task: end })
        signal?.addEventListener('abort', end)
      }),
    jumps: jumps.list,
    nextAt: () => queue.first()?.at,
    clear() {
      queue.clear()
      clearTimeout(timer)
    },
  }
}

/** The clock of a gateway that was given none: the time of day. Nothing else here reads the system clock. */
export const defaultClock = (base: () => number = Date.now): FakeClock => createFakeClock({ base, realTime: true })

import { setTimeout as pause } from 'node:timers/promises'
import { type CallbackDelivery, createFakeClock, type FakeClock, type FakeGateway } from '@tillkit/testing'
import { callbackPatience } from '@tillkit/testing/gateway'
import type { Verdict } from './judge.js'

type Unanswered = { readonly kind: 'failed'; readonly error: unknown } | { readonly kind: 'hung' }

/** How something that the merchant was asked for ended. */
export type Ending<Value> = { readonly kind: 'answered'; readonly value: Value } | Unanswered

/** What is wrong with a merchant that did not answer: a sentence for one that hung, and the beginning of one for one that failed. */
export function verdictOf(
  ending: Unanswered,
  { hung, failed }: { readonly hung: string; readonly failed: string },
): Verdict {
  if (ending.kind === 'hung') return { kind: 'hung', explanation: hung }
  return { kind: 'failed', explanation: `${failed}: ${messageOf(ending.error)}` }
}

/** The text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Moves the gateway's clock on while the merchant works, until nothing more happens. */
export interface Driver {
  /** Waits for the merchant to answer, and moves the clock on meanwhile. */
  until<Value>(answer: () => Value | Promise<Value>): Promise<Ending<Value>>
  /** Lets everything happen that is scheduled, callbacks and their repetitions included. */
  quiet(): Promise<void>
  /** Lets what is under way come to rest, without moving the clock. */
  calm(): Promise<void>
  /** Moves the clock to the next task that falls due. @returns Whether there was one. */
  step(): Promise<boolean>
  /** Moves the clock on, and lets everything happen on the way. */
  advance(milliseconds: number): Promise<void>
}

/** How much time a merchant gets, in milliseconds that pass by themselves. */
export interface CaseTimes {
  /** Without any traffic for this long, nothing is under way. */
  readonly quiet: number
  /** Longest it may take to answer once nothing is left to happen. */
  readonly patience: number
  /** How long a merchant with a clock of its own is given to find out in the end. */
  readonly grace: number
  /** When the gateway has something to do next, by its clock; what the merchant waits for does not count. */
  readonly nextTaskAt?: (() => number | undefined) | undefined
}

/** So many steps go from one task to the next; after that each is half as long again, so that polling for ever ends. */
const exactSteps = 40
const firstLongStep = 1_000
/** No step goes further than this, in milliseconds: callbacks are repeated for 14 days. */
const horizon = 45 * 86_400_000

/** How many callbacks were neither answered nor refused in time. */
export const hungCallbacks = (deliveries: readonly CallbackDelivery[]): number =>
  deliveries.filter(({ httpStatus, error }) => httpStatus === undefined && /timeout/i.test(error ?? '')).length

/** The gateway gives a callback up before that, in milliseconds. */
const longestCallback = 2 * callbackPatience

/** @param work See `MerchantUnderTest`. */
export function createDriver(
  gateway: FakeGateway,
  { quiet, patience, nextTaskAt }: Omit<CaseTimes, 'grace'>,
  work?: () => unknown,
): Driver {
  const { clock, callbacks } = gateway
  const begin = clock.now()
  let steps = 0
  const before = callbacks.list().length
  // Each takes the gateway's whole patience, and thirty repetitions of that would take minutes.
  const hasHung = (): boolean => hungCallbacks(callbacks.list().slice(before)) > 0
  const traffic = (): string => `${gateway.calls().at(-1)?.number} ${callbacks.list().length}`

  const calm = async (isOver: () => boolean = () => false): Promise<void> => {
    let last = traffic()
    for (let waited = 0; waited < patience && !isOver(); waited += quiet) {
      await pause(quiet)
      const now = traffic()
      if (now === last) return
      last = now
    }
  }

  const step = async (): Promise<boolean> => {
    const next = clock.nextAt()
    const now = clock.now()
    if (next === undefined || now - begin > horizon || hasHung()) return false
    steps += 1
    const least = steps > exactSteps ? firstLongStep * 1.5 ** (steps - exactSteps) : 0
    // Two callbacks are never sent at once because of it: a merchant may rightly be busy with the first.
    const most = Math.max(next, nextTaskAt?.() ?? Number.POSITIVE_INFINITY) - now
    await clock.advance(Math.min(Math.max(next - now, least, 0), Math.max(most, 0), horizon))
    return true
  }

  const until = async <Value>(answer: () => Value | Promise<Value>): Promise<Ending<Value>> => {
    let ending: Ending<Value> | undefined
    void endingOf(answer).then(each => {
      ending = each
    })
    const isOver = () => ending !== undefined
    for (let waited = 0; !isOver() && waited < patience; ) {
      await calm(isOver)
      if (isOver()) break
      if (await step()) continue
      await pause(quiet)
      waited += 2 * quiet
    }
    return ending ?? { kind: 'hung' }
  }

  const allAnswered = () => Promise.race([callbacks.idle(), pause(longestCallback, undefined, { ref: false })])

  const settle = async (): Promise<void> => {
    for (let isBusy = true; isBusy; ) {
      do {
        await calm()
        if (work === undefined) continue
        // Such a merchant does not wait for this clock: it answers without a step of it.
        await allAnswered()
        await until(work)
      } while (await step())
      // A callback may still be on its way, and what comes of it may schedule more.
      const answered = traffic()
      await allAnswered()
      isBusy = traffic() !== answered && !hasHung()
    }
  }

  return {
    until,
    quiet: settle,
    calm: () => calm(),
    step,
    async advance(milliseconds) {
      await clock.advance(milliseconds)
      await settle()
    },
  }
}

async function endingOf<Value>(answer: () => Value | Promise<Value>): Promise<Ending<Value>> {
  try {
    return { kind: 'answered', value: await answer() }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/**
 * Makes the clock of one case. It begins what is scheduled at its time and does not wait for it: a merchant may wait for the
 * clock in its handler of callbacks.
 *
 * @param base Milliseconds since the epoch. Default: the system clock.
 */
export function createCaseClock(base: () => number = Date.now): CaseClock {
  const clock = createFakeClock({ base, realTime: true })
  const tasks = new Set<{ readonly at: number }>()
  return {
    ...clock,
    schedule(at, task) {
      const each = { at }
      tasks.add(each)
      const scheduled = clock.schedule(at, () => {
        tasks.delete(each)
        void Promise.resolve()
          .then(task)
          .catch(() => undefined)
      })
      return {
        cancel() {
          tasks.delete(each)
          scheduled.cancel()
        },
      }
    },
    nextTaskAt: () => (tasks.size === 0 ? undefined : Math.min(...[...tasks].map(({ at }) => at))),
  }
}

/** The clock of one case. */
interface CaseClock extends FakeClock {
  /** When the next scheduled task is due, in milliseconds since the epoch. Waits are no tasks. */
  nextTaskAt(): number | undefined
}

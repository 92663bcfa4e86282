/**
 * Drives runs of the shipped runner on the virtual clock: it carries their effects out, as the till's own driver does, and decides nothing. Effects
 * take time, and a process may die at any moment of it.
 *
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import {
  type Effect,
  type Ended,
  type Event,
  heardSoFar,
  longestWriting,
  newRun,
  type Run,
  requestOf,
  type Staged,
} from '../../../../packages/till/src/engine/run.js'
import { createStoreTime, type StoreTime } from '../../../../packages/till/src/engine/store-time.js'
import type { Next } from '../../../../packages/till/src/intents/next.js'
import type { KnownAttempt, WantedChange } from '../../../../packages/till/src/state/known.js'
import { pauseAfter } from '../../../../packages/till/src/store/persist.js'
import type { Stored } from '../../../../packages/till/src/store/store.js'
import { breaks } from '../../../explore/src/walk/rules.js'
import type { Life } from '../life.js'
import { asks } from './asking.js'
import { handles } from './handler.js'
import { die, type Process } from './process.js'
import { sends } from './sending.js'
import { reads, writes } from './storing.js'

/** A run in a process. */
export interface Living {
  readonly id: string
  readonly does: string
  readonly process: Process
  readonly time: StoreTime
  run: Run<unknown>
  /** The row that it was decided on. */
  stored: Stored | undefined
  /** Whether its caller has left. */
  isAlone: boolean
  /** When it began, and whether it read the marks after new money was stopped. */
  readonly began: number
  mayKnowPause: boolean
  steps: number
  /** The orders that had brought money when it began, and that no word had ever called declined. */
  readonly paidBefore: readonly string[]
  /** Lets something happen in its process, unless that has died by then. */
  later(delay: number, act: () => void): void
  hear(event: Event): void
}

/** A run to begin. */
export interface Begin<Result> {
  readonly does: string
  readonly next: Next<Result>
  readonly staged?: readonly Staged[]
  /** How long its caller waits, in milliseconds. Default: 30 seconds. */
  readonly patience?: number
  /** Hears how it ended, as its caller does. */
  readonly ended?: (ended: Ended<Result>, living: Living) => void
  /** Called once it is durable that the handler was told. */
  readonly told: (wanted: readonly WantedChange[], process: Process) => void
}

/** No run hears of more events than that. */
const mostSteps = 400

const profileOf = () => defaultProfile

/** Begins a run in a process. */
export function begin<Result>(life: Life, process: Process, options: Begin<Result>): Living {
  const { does, next, staged, patience = 30_000, ended, told } = options
  life.runs += 1
  const { mistake } = life
  const advance = createAdvance(mistake?.decides?.(does, next) ?? next, profileOf, mistake?.times)
  const bornIn = process.life
  let failures = 0
  let last: unknown
  let isOver = false
  const finish = (result: Ended<unknown>): void => {
    isOver = true
    if (!living.isAlone) ended?.(result as Ended<Result>, living)
  }
  const leave = (cause: unknown): void => {
    if (living.isAlone || isOver) return
    living.isAlone = true
    life.say?.(`${living.id} has no caller any more`)
    ended?.(heardSoFar(living.run as Run<Result>, cause), living)
  }
  const later = (delay: number, act: () => void): void => {
    life.later(delay, () => {
      if (process.life !== bornIn || isOver) return
      const stalled = process.stalledUntil - life.now()
      if (stalled > 0) later(stalled, act)
      else act()
    })
  }
  const living: Living = {
    id: `run-${life.runs}`,
    does,
    process,
    time: createStoreTime(process.clocks),
    run: newRun<unknown>(`run-${life.runs}`, patience, staged),
    stored: undefined,
    isAlone: false,
    began: life.now(),
    mayKnowPause: false,
    steps: 0,
    paidBefore: paidIn(life),
    later,
    hear(happened) {
      const event = mistake?.hears?.(does, happened) ?? happened
      const { time } = living
      const { doing } = living.run
      if (event.kind !== 'unknown') time.begin()
      failures = event.kind === 'unknown' ? failures + 1 : 0
      const passed = living.isAlone ? { passed: Number.POSITIVE_INFINITY } : {}
      const at = { ...time.now(), ...passed, isHandling: process.handling > 0 }
      const { run, effect } = advance(living.run as Run<Result>, event, at)
      if (event.kind === 'written' && doing.kind === 'write')
        for (const each of living.run.staged) if (each.kind === 'told') told(each.wanted, process)
      if (event.kind === 'handled' && event.end.kind === 'committed') told(event.end.wanted, process)
      if (event.kind === 'written') for (const wake of process.sleepers) wake()
      living.run = run
      living.steps += 1
      if (living.steps > mostSteps)
        return life.accuse(breaks('runs end', `${living.id}, which does "${does}", does not end`))
      last = event.kind === 'unknown' ? event.cause : undefined
      if (effect.kind === 'end') return finish(effect.result)
      if (failures > 0) {
        const limit = run.saying === undefined ? patience : longestWriting
        if (at.passed >= limit) leave(last)
        later(pauseAfter(failures), () => carryOut(life, living, effect))
      } else carryOut(life, living, effect)
    },
  }
  life.say?.(`${living.id} begins to ${does} in process ${process.nth + 1}`)
  life.count(`runs: ${does}`)
  later(0, () => living.hear({ kind: 'began' }))
  return living
}

/** The orders that have brought money, and that no word had ever called declined. */
const paidIn = ({ books }: Life): readonly string[] =>
  books.orders.filter(({ words: [first] }) => first?.has('approved') && first.size === 1).map(({ orderId }) => orderId)

function carryOut(life: Life, living: Living, effect: Exclude<Effect<unknown>, { readonly kind: 'end' }>): void {
  const { run, process } = living
  switch (effect.kind) {
    case 'read':
      reads(life, living)
      return
    case 'write':
      writes(life, living, effect)
      return
    case 'ask':
      asks(life, living, effect.question, effect.isBrief === true)
      return
    case 'request': {
      const attempt: KnownAttempt = requestOf(run, effect)
      sends(life, living, attempt, effect.startBy)
      return
    }
    case 'handle':
      handles(life, living, effect)
      return
    case 'sleep': {
      let isOver = false
      const wake = (isWoken: boolean) => (): void => {
        if (isOver) return
        isOver = true
        process.sleepers.delete(woken)
        living.hear({ kind: 'slept', isWoken })
      }
      const woken = (): void => living.later(1, wake(true))
      process.sleepers.add(woken)
      living.later(effect.milliseconds, wake(false))
      return
    }
  }
}

/** A process dies, and starts again soon. */
export function kill(life: Life, process: Process): void {
  life.say?.(`process ${process.nth + 1} dies`)
  die(process, life.now() + 2_000)
}

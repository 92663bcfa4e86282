/**
 * One world that any engine can live in: a gateway, a store, processes that come and go, customers, a merchant who wants things done, and a
 * gateway's own people. What happens follows from a seed and from what happened at the gateway, never from how often an engine asks or writes.
 *
 * @module
 */

import { createFakeClock, createFakeGateway, type FakeGateway } from '@tillkit/testing'
import type { Till, TillOptions } from '../../../src/index.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import type { Store } from '../../../src/store/store.js'
import { readyAccount } from '../ready-account.js'
import { shop } from '../worlds/life.js'
import { inWorld, pass } from '../worlds/quiet.js'
import { endsOf, type Trace } from './endings.js'
import { counting, type Fates, fatesOf } from './fates.js'
import { gatewaysActs } from './gateways-acts.js'
import { keptFor } from './kept.js'
import { lineFor } from './line.js'
import { hear, planOf } from './merchant.js'
import { hour, minute } from './times.js'

/** Makes a till. */
export type Engine = (options: TillOptions<never>) => Till

/** A process with a till in it. */
export interface Process {
  readonly till: Till
  isDead: boolean
}

export interface World {
  readonly gateway: FakeGateway
  readonly store: Store
  readonly fates: Fates
  /** How often something was seen by now, this time included. */
  readonly nth: (...about: readonly string[]) => number
  /** Notes that something happened. */
  readonly count: (what: string) => void
  readonly counts: ReadonlyMap<string, number>
  /** Whether nothing fails any more. */
  readonly isCalm: () => boolean
  /** Does something after so many milliseconds. */
  readonly later: (after: number, task: () => unknown) => void
  /** The errors of such tasks: nobody expected them. */
  readonly thrown: readonly string[]
  /** The process with a number, 0 or 1; another one in its place where it is dead. */
  readonly process: (at: number) => Process
  /** The lines that the merchant was told, in their order. */
  readonly told: { readonly reference: string; readonly outcome: string; readonly line: string }[]
}

/** Lives through the world of a seed with an engine. */
export function liveWith(seed: string, engine: Engine): Promise<Trace> {
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ clock, seed, maxCalls: 100_000 })
  const now = { isCalm: false }
  const { world, processes } = worldOf(seed, { engine, gateway, isCalm: () => now.isCalm })
  return inWorld(gateway, async quiet => {
    const time = { clock, quiet, look: gatewaysActs(world) }
    const references = planOf(world)
    await pass(12 * hour, time)
    // Nothing fails any more, and one process brings everything to its end.
    now.isCalm = true
    for (const each of processes.values()) each.isDead = true
    for (let pause = 5 * minute; pause < 20 * 24 * hour; pause *= 1.6) {
      void world
        .process(0)
        .till.tick()
        .catch(() => 0)
      await pass(pause, time)
    }
    return { payments: await endsOf(references, world), counts: world.counts }
  })
}

interface Beginning extends Pick<World, 'gateway' | 'isCalm'> {
  readonly engine: Engine
}

function worldOf(seed: string, { engine, gateway, isCalm }: Beginning) {
  const { clock } = gateway
  const counts = new Map<string, number>()
  const thrown: string[] = []
  const processes = new Map<number, Process>()
  const world: World = {
    gateway,
    store: memoryStore({ clock: clock.now }),
    fates: fatesOf(seed),
    nth: counting(),
    count: what => void counts.set(what, (counts.get(what) ?? 0) + 1),
    counts,
    isCalm,
    later(after, task) {
      // The clock waits for what it runs, and this may wait for the clock.
      clock.schedule(clock.now() + after, () => {
        void (async () => task())().catch((error: unknown) => void thrown.push(String(error)))
      })
    },
    thrown,
    process(at) {
      const known = processes.get(at)
      if (known !== undefined && !known.isDead) return known
      const made = startProcess(at, { world, engine })
      processes.set(at, made)
      return made
    },
    told: [],
  }
  return { world, processes }
}

function startProcess(at: number, { world, engine }: { readonly world: World; readonly engine: Engine }): Process {
  const { gateway, fates, nth } = world
  const { now, wait } = gateway.clock
  const state = { isDead: false }
  const isDead = () => state.isDead
  const die = () => {
    state.isDead = true
  }
  const random = fates('random', at, nth('process', String(at))).number
  const till = engine({
    // Fates go by the keys of the store, and the name is in each.
    name: 'merchant',
    account: { ...readyAccount(gateway), dispatcher: lineFor(world, isDead), wait, random },
    store: keptFor(world, { isDead, die }) as Store<never>,
    address: `${shop}/payments`,
    returnTo: ({ reference }) => `/orders/${reference}`,
    replaceOpenForm: fates('replaces').of(0.3),
    surplus: fates('surplus').of(0.3) ? 'return' : 'person',
    clock: now,
    wait,
    onOutcome: (outcome, { idempotencyKey, afterwards }) =>
      hear(outcome, { world, process: state, outcome: idempotencyKey, afterwards }),
  })
  return Object.assign(state, { till })
}

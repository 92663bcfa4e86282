/**
 * A campaign: every point in turn and at random, on every engine, until there were enough kills.
 *
 * @module
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { programOf, removeProgram } from '../bundle.js'
import { databaseCases, everyCase, intakeCases, intakeDatabaseCases } from './cases.js'
import { type Engine, postgresEngine, sqliteEngine } from './engines.js'
import { type Chapter, labelOf, openLane } from './lane.js'
import type { Planted } from './messages.js'
import { type Kind, kinds } from './payments.js'
import type { Case } from './points.js'
import { newTally, type Tally } from './tally.js'

export interface CampaignOptions {
  /** Goes on until there were so many. */
  readonly kills: number
  readonly seed: number
  /** How many processes live at once on each engine. */
  readonly lanes: number
  readonly engines: readonly Engine['name'][]
  /** Whether each point is struck on every engine, and not only on one of them. */
  readonly isThorough?: boolean
  /** Into how many parts the cases are divided. One part is struck; the seed says which. Default: 1. */
  readonly parts?: number
  readonly planted?: Planted
  /** Told after each list of payments. */
  readonly onProgress?: ((tally: Tally) => void) | undefined
  /** In place of all. */
  readonly cases?: readonly Case[]
}

/** The result of a campaign. */
export interface Campaign {
  readonly tally: Tally
  /** Points that were never hit. */
  readonly never: readonly string[]
}

/** How often a point is tried before it counts as never hit: on a busy machine its moment may pass. */
const mostTries = 20

/** Runs a campaign. It ends early once something was found wrong. */
export async function campaign(options: CampaignOptions): Promise<Campaign> {
  const { kills, seed, lanes, planted, cases = [...everyCase, ...intakeCases], isThorough = false, parts = 1 } = options
  const tally = newTally()
  const random = randomFrom(seed)
  const program = await programOf(new URL('life.ts', import.meta.url))
  const engines = await Promise.all(
    options.engines.map(name => (name === 'sqlite' ? sqliteEngine() : postgresEngine())),
  )
  const expected: { readonly engine: Engine; readonly each: Case }[] = engines.flatMap((engine, place) => [
    ...cases
      .filter((_, index) => isThorough || (index + seed) % (engines.length * parts) === place)
      .filter(({ blows }) => engine.isServer || blows.every(({ act = 'kill' }) => act === 'kill' || act === 'stop'))
      .map(each => ({ engine, each })),
    ...(engine.isServer && options.cases === undefined
      ? [...databaseCases, ...intakeDatabaseCases]
          .filter((_, index) => (index + seed) % parts === 0)
          .map(each => ({ engine, each }))
      : []),
  ])

  const onEngine = async (engine: Engine): Promise<void> => {
    const own = expected.filter(each => each.engine === engine).map(({ each }) => each)
    const tries = new Map<Case, number>()
    let waiting: Case[] = []
    let isFirst = true
    let chapters = 0
    const next = (): Chapter | undefined => {
      if (waiting.length === 0 && (isFirst || tally.kills() < kills)) {
        waiting = shuffled(own, random)
        isFirst = false
      }
      chapters += 1
      if (chapters % 6 === 0 && options.cases === undefined) return randomChapter(random)
      return waiting.length === 0 ? undefined : { kind: 'cases', cases: waiting.splice(0, 3) }
    }
    const oneLane = async () => {
      const lane = await openLane({ engine, program, tally, planted })
      try {
        for (let chapter = next(); chapter !== undefined && tally.violations().length === 0; chapter = next()) {
          for (const each of await lane.work(chapter)) {
            tries.set(each, (tries.get(each) ?? 0) + 1)
            if ((tries.get(each) ?? 0) < mostTries) waiting.push(each)
          }
          options.onProgress?.(tally)
        }
      } finally {
        await lane.close()
      }
    }
    await Promise.all(Array.from({ length: lanes }, oneLane))
  }

  try {
    await Promise.all(engines.map(onEngine))
  } finally {
    for (const engine of engines) await engine.end()
    removeProgram(program)
  }
  const never = expected.filter(({ engine, each }) => tally.hits(labelOf(each), engine.name) === 0)
  return { tally, never: never.map(({ engine, each }) => `${engine.name}: ${labelOf(each)}`) }
}

/**
 * Four payments of any kind, and seven lives of up to a second. Of two equal parts, one whose serial number was lost with its answer
 * cannot be told from the other: that takes a person, so no handler is waited for.
 */
function randomChapter(random: () => number): Chapter {
  const names = Object.keys(kinds) as Kind[]
  return {
    kind: 'random',
    payments: Array.from({ length: 4 }, () => {
      const kind = names[Math.floor(random() * names.length)] ?? 'sold'
      const by = (['status', 'callback'] as const)[Math.floor(2 * random())] ?? 'status'
      return { kind, by: kind === 'parts' ? 'status' : by }
    }),
    lives: Array.from({ length: 7 }, () => Math.floor(1_000 * random() ** 2)),
  }
}

/** Waits for the first message of a process. @throws Error when it ends before that. */
export async function firstMessage(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process ended before its first message, with ${code ?? signal}.`)
  })
  await Promise.race([once(child, 'message'), ended])
}

/** Another number each day, the same all day: what a long test leaves out today, it does tomorrow. */
export const dayNumber = (): number => Math.floor(Date.now() / 86_400_000)

/** Numbers from 0 to below 1 that a seed gives again. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function shuffled<Each>(list: readonly Each[], random: () => number): Each[] {
  return list
    .map(each => ({ each, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ each }) => each)
}

/** Records worlds, judges their traces, alters some of them, and counts. */
import { type Chance, chanceOf } from '../../../packages/client/test/worlds/chance.js'
import { type Alteration, alter, alterations } from './alter.js'
import { judge, problemOf } from './judge.js'
import { recordRace } from './race.js'
import { Refused } from './replay.js'
import type { Trace } from './trace.js'
import { recordWorld } from './worlds.js'

/** How alterations of one kind ended. `lawful`: the judge accepts the altered trace, as another life that could have been. */
export interface Altered {
  readonly replay: number
  readonly store: number
  readonly gateway: number
  readonly lawful: number
}

/** Everything that was counted. */
export interface Tally {
  readonly worlds: number
  /** Races of eight processes, and how many of these were killed in the middle. */
  readonly races: number
  readonly kills: number
  readonly traces: number
  readonly runs: number
  readonly steps: number
  readonly effects: Readonly<Record<string, number>>
  /** Effects that nobody heard the end of. */
  readonly unanswered: number
  /** Traces that were refused, and why. */
  readonly refused: readonly string[]
  readonly altered: Readonly<Record<Alteration, Altered>>
}

const noneAltered: Altered = { replay: 0, store: 0, gateway: 0, lawful: 0 }

/** Nothing was counted yet. */
export const nothing: Tally = {
  worlds: 0,
  races: 0,
  kills: 0,
  traces: 0,
  runs: 0,
  steps: 0,
  effects: {},
  unanswered: 0,
  refused: [],
  altered: Object.fromEntries(alterations.map(each => [each, noneAltered])) as Tally['altered'],
}

/** The sum of two. */
export function sum(one: Tally, other: Tally): Tally {
  const names = [...new Set([...Object.keys(one.effects), ...Object.keys(other.effects)])].sort()
  return {
    worlds: one.worlds + other.worlds,
    races: one.races + other.races,
    kills: one.kills + other.kills,
    traces: one.traces + other.traces,
    runs: one.runs + other.runs,
    steps: one.steps + other.steps,
    effects: Object.fromEntries(names.map(each => [each, (one.effects[each] ?? 0) + (other.effects[each] ?? 0)])),
    unanswered: one.unanswered + other.unanswered,
    refused: [...one.refused, ...other.refused],
    altered: Object.fromEntries(
      alterations.map(each => [each, sumOfAltered(one.altered[each], other.altered[each])]),
    ) as Tally['altered'],
  }
}

const sumOfAltered = (one: Altered, other: Altered): Altered => ({
  replay: one.replay + other.replay,
  store: one.store + other.store,
  gateway: one.gateway + other.gateway,
  lawful: one.lawful + other.lawful,
})

/** Judges the traces of one world. @param changes How many alterations are drawn from them. */
export async function tallyWorld(seed: string, changes: number): Promise<Tally> {
  const { traces, wrong } = await recordWorld(seed)
  const accused = wrong.map(each => `world ${seed}: ${each}`)
  return { ...sum({ ...nothing, refused: accused }, tallyTraces(traces, { seed, changes })), worlds: 1 }
}

/** Judges the traces of one race. @param kills How many processes are killed in it. */
export async function tallyRace(
  seed: number,
  { changes, ...race }: { readonly changes: number; readonly payments?: number; readonly kills: number },
): Promise<Tally> {
  const traces = await recordRace(seed, race)
  return { ...tallyTraces(traces, { seed: String(seed), changes }), races: 1, kills: race.kills }
}

/** Judges traces, and alterations of them. */
export function tallyTraces(
  traces: readonly Trace[],
  { seed, changes }: { readonly seed: string; readonly changes: number },
): Tally {
  const tally = traces.map(tallyOf).reduce(sum, nothing)
  const chance = chanceOf(seed)
  const altered = { ...tally.altered }
  for (let count = 0; count < changes && traces.length > 0; ) {
    const kind = alterations[(Number(seed) + count) % alterations.length] ?? 'effect swapped'
    const other = drawn(traces, kind, chance)
    count += 1
    if (other === undefined) continue
    const part = problemOf(other)?.part ?? 'lawful'
    altered[kind] = { ...altered[kind], [part]: altered[kind][part] + 1 }
  }
  return { ...tally, altered }
}

/** Not every trace has a place for each kind. */
function drawn(traces: readonly Trace[], kind: Alteration, chance: Chance): Trace | undefined {
  for (let tries = 0; tries < 50; tries += 1) {
    const other = alter(chance.pick(traces), kind, chance)
    if (other !== undefined) return other
  }
  return undefined
}

function tallyOf(trace: Trace): Tally {
  const steps = trace.runs.flatMap(({ steps }) => steps)
  const effects: Record<string, number> = {}
  for (const { effect } of steps) effects[effect] = (effects[effect] ?? 0) + 1
  const unanswered = trace.runs.filter(({ steps }) => steps.at(-1)?.effect !== 'end').length
  const counted = { ...nothing, traces: 1, runs: trace.runs.length, steps: steps.length, effects, unanswered }
  try {
    judge(trace)
    return counted
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ...counted, refused: [`${trace.name}: ${error.message}`] }
  }
}

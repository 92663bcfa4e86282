/**
 * Worlds that were recorded: what was sent, told and asked in each of them. A till has to come to the same in every one, or somebody has to look why it
 * does not.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createTill } from '../../../src/index.js'
import type { Lived, Trace } from './endings.js'
import { type Engine, liveWith } from './world.js'

/** The first worlds are kept line by line, so that a difference can be read; the others as a digest. */
const mostInFull = 40

const fileOf = (name: string) => new URL(`./${name}.txt`, import.meta.url)

/** Lives in the world of a seed. @returns What came of it, a line for each thing. */
export async function linesOf(
  seed: number,
  engine: Engine,
  counts = new Map<string, number>(),
): Promise<readonly string[]> {
  const trace: Trace = await liveWith(String(seed), engine)
  for (const [what, count] of trace.counts) counts.set(what, (counts.get(what) ?? 0) + count)
  return [...trace.payments].flatMap(([reference, lived]) =>
    (['sent', 'told', 'end'] as const satisfies readonly (keyof Lived)[]).flatMap(part =>
      lived[part].map(line => `${seed} ${reference} ${part}: ${line}`),
    ),
  )
}

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 12)

const linesIn = (name: string): readonly string[] => readFileSync(fileOf(name), 'utf8').trimEnd().split('\n')

/** How many worlds are recorded. */
export const recordedCount = (): number => linesIn('digests').length

/** Compares the lives of an engine with what was recorded. @returns A text for each world that came to something else. */
export async function differencesIn(
  seeds: readonly number[],
  engine: Engine,
  counts?: Map<string, number>,
): Promise<readonly string[]> {
  const [digests, full] = [linesIn('digests'), linesIn('worlds')]
  const found: string[] = []
  for (const seed of seeds) {
    const now = await linesOf(seed, engine, counts)
    if (digestOf(now) === digests[seed - 1]) continue
    const before = full.filter(line => line.startsWith(`${seed} `))
    const [gone, come] = [before.filter(each => !now.includes(each)), now.filter(each => !before.includes(each))]
    found.push([`World ${seed}`, ...gone.map(line => `- ${line}`), ...come.map(line => `+ ${line}`)].join('\n'))
  }
  return found
}

/** Records what the shipped till comes to in the first worlds. */
export async function record(count: number): Promise<void> {
  const worlds: (readonly string[])[] = []
  for (let seed = 1; seed <= count; seed += 1) worlds.push(await linesOf(seed, createTill))
  writeFileSync(fileOf('digests'), `${worlds.map(digestOf).join('\n')}\n`)
  writeFileSync(fileOf('worlds'), `${worlds.slice(0, mostInFull).flat().join('\n')}\n`)
}

/** A till as it is, with pauses that are `times` as long: it asks, and looks after its payments, at other times. */
export const pausing =
  (times: number): Engine =>
  options => {
    const { wait, account } = options
    if (wait === undefined || account === undefined)
      throw new TypeError('A world has a clock of its own, and one account.')
    const longer: typeof wait = (milliseconds, signal) => wait(milliseconds * times, signal)
    return createTill({ ...options, wait: longer, account: { ...account, wait: longer } })
  }

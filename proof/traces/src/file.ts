/**
 * Records what happens in one process into a file of its own, line by line: whatever kills it, each line that was written stays.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Line } from './lines.js'
import { recording, type SeenStore } from './record.js'

/** Microseconds of the clock that all processes of a machine have in common. */
export const sharedClock = (): number => Number(process.hrtime.bigint()) / 1_000

/** The same store, for a till whose runs are recorded in a folder. */
export function recordingTo<Kept extends SeenStore>(folder: string, store: Kept): Kept {
  const name = randomUUID()
  const file = openSync(join(folder, `${name}.jsonl`), 'a')
  let last = 0
  return recording(store, {
    process: name,
    write: (line: Line) => writeSync(file, `${JSON.stringify(line)}\n`),
    order() {
      last = Math.max(sharedClock(), last + 0.001)
      return last
    },
    now: Date.now,
  })
}

/** The lines of all processes, in their order. The last one of a file may be cut off: its process died then. */
export function linesIn(folder: string): readonly Line[] {
  const lines = readdirSync(folder).flatMap(name => {
    const texts = readFileSync(join(folder, name), 'utf8').split('\n')
    return texts.slice(0, -1).map((text): Line => JSON.parse(text))
  })
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** A thing that others name comes first. */
const placeOf = (line: Line): number => ('t' in line ? line.t : Number.NEGATIVE_INFINITY)

/** Measures how long programs take to start and to end, in turn, so that all see the same machine. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'

/** Starts of each program. */
const starts = 61

/**
 * @param programs Addresses of files by name.
 * @returns For each name the median time in microseconds, and `added(longer, shorter)`: the median of the differences of
 * neighbouring starts, in milliseconds.
 */
export function measureStarts(programs) {
  const times = Object.fromEntries(Object.keys(programs).map(name => [name, []]))
  for (let start = 0; start < starts; start++) {
    for (const [name, program] of Object.entries(programs)) times[name].push(startMilliseconds(program))
  }
  const microseconds = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all) * 1000]))
  const added = (longer, shorter) => median(times[longer].map((time, start) => time - times[shorter][start]))
  return { microseconds, added }
}

function startMilliseconds(program) {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, [fileURLToPath(program)])
  if (status !== 0) throw new Error(`${program} ended with ${status}.`)
  return performance.now() - start
}

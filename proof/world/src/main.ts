/**
 * Lets a world live: `npm run world -- --payments 1000000 --seed 1`. `--payment N` lets one payment of it live again, and prints its timeline; with
 * `--shrink` with no more of its plan than breaks the rule.
 *
 * @module
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { drawPlan } from './draw.js'
import { liveInProcesses } from './processes.js'
import { shrunk } from './shrink.js'
import { storyOf } from './story.js'
import { summaryOf } from './summary.js'

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    payment: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
})
const seed = Number(values.seed)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (values.payment !== undefined) {
  const whole = drawPlan(seed, Number(values.payment))
  const { lines, broken } = storyOf(values.shrink ? shrunk(whole).plan : whole)
  for (const line of lines) say(line)
  process.exitCode = broken === undefined ? 0 : 1
} else {
  const payments = Number(values.payments)
  const began = Date.now()
  const world = await liveInProcesses({ seed, payments, processes: Number(values.processes) })
  for (const line of summaryOf(world, { seed, seconds: (Date.now() - began) / 1_000 })) say(line)
  const [first] = world.broken
  if (first !== undefined) for (const line of storyOf(shrunk(first.plan).plan).lines) say(line)
  process.exitCode = first === undefined ? 0 : 1
}

/**
 * Lets a world live: `npm run world -- --payments 1000000 --seed 1`. `--payment N` lets one payment of it live again, and prints its timeline; with
 * `--shrink` with no more of its plan than breaks the rule. `--broken lost` and `--broken stale` let the store break its contract.
 *
 * @module
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { breachLines, liveBroken } from './broken.js'
import { drawPlan } from './draw.js'
import { writeEvidence } from './evidence.js'
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
    broken: { type: 'string' },
    write: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
})
const seed = Number(values.seed)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (values.broken !== undefined) {
  const breach = values.broken
  if (breach !== 'lost' && breach !== 'stale') throw new TypeError('"--broken" is lost or stale.')
  const result = liveBroken(seed, { payments: Number(values.payments), breach })
  for (const line of breachLines(result, breach)) say(line)
  process.exitCode = result.broken.size > 0 && result.left.length === 0 ? 0 : 1
} else if (values.payment !== undefined) {
  const whole = drawPlan(seed, Number(values.payment))
  const { lines, broken } = storyOf(values.shrink ? shrunk(whole).plan : whole)
  for (const line of lines) say(line)
  process.exitCode = broken === undefined ? 0 : 1
} else {
  const payments = Number(values.payments)
  const startedAt = new Date()
  const world = await liveInProcesses({ seed, payments, processes: Number(values.processes) })
  for (const line of summaryOf(world, { seed, seconds: (Date.now() - startedAt.getTime()) / 1_000 })) say(line)
  if (values.write) writeEvidence(world, startedAt)
  const [first] = world.broken
  if (first !== undefined) for (const line of storyOf(shrunk(first.plan).plan).lines) say(line)
  process.exitCode = first === undefined ? 0 : 1
}

/**
 * A long run: `npm run kills -- --kills 10000 --seed 1`. With `--write` its figures go to docs/evidence. Fails where something was wrong.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { writeResult } from '../../../../scripts/evidence/result.js'
import { campaign } from './campaign.js'
import { databaseCases, everyCase, intakeCases, intakeDatabaseCases } from './cases.js'
import type { Engine } from './engines.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    thorough: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '6' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const { kills, seed, lanes, engines, thorough, only, write } = values
const startedAt = new Date()
const { tally, never } = await campaign({
  kills: Number(kills),
  seed: Number(seed),
  lanes: Number(lanes),
  engines: engines.split(',') as Engine['name'][],
  isThorough: thorough,
  onProgress: so => process.stderr.write(`${so.kills()} kills, ${so.violations().length} violations\n`),
  ...(only === ''
    ? {}
    : {
        cases: [...everyCase, ...intakeCases, ...databaseCases, ...intakeDatabaseCases].filter(each =>
          each.blows.some(({ label }) => label.includes(only)),
        ),
      }),
})
const violations = tally.violations()
for (const [point, byEngine] of Object.entries(tally.points()))
  process.stdout.write(`${point}: ${JSON.stringify(byEngine)}\n`)
for (const each of [...violations, ...never.map(point => `never hit: ${point}`)]) process.stdout.write(`${each}\n`)
process.stdout.write(`${tally.kills()} kills, ${violations.length} violations, ${never.length} points never hit\n`)
if (write) {
  const figures = { kills: tally.kills(), never, points: tally.points() }
  writeResult(`kills-${seed}`, { run: 'npm run kills', startedAt, figures, violations })
}
process.exitCode = violations.length + never.length === 0 && tally.kills() >= Number(kills) ? 0 : 1

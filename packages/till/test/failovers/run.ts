/**
 * A long run: `npm run failovers -- --times 300 --seed 1`. With `--write` its figures go to docs/evidence. Fails where something was wrong.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { writeResult } from '../../../../scripts/evidence/result.js'
import { failovers } from './campaign.js'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '8' },
    write: { type: 'boolean', default: false },
  },
})
const { times, seed, processes, write } = values
const startedAt = new Date()
const { figures, violations } = await failovers({
  times: Number(times),
  seed: Number(seed),
  processes: Number(processes),
  onProgress: text => process.stderr.write(`${text}\n`),
})
for (const [loss, own] of Object.entries(figures)) {
  const line = Object.entries(own).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${loss}: ${line.join(', ')}\n`)
}
const count = Object.values(figures).reduce((sum, own) => sum + own.failovers, 0)
process.stdout.write(
  `${count} failovers, ${violations.length} violations\n${violations.map(each => `${each}\n`).join('')}`,
)
if (write) writeResult('failovers', { run: 'npm run failovers', startedAt, figures, violations })
process.exitCode = violations.length === 0 && count === Number(times) ? 0 : 1

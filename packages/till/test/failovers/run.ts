/**
 * A long run: `npm run failovers -- --times 300 --seed 1`. With `--write` its figures go to docs/evidence. Fails where something was wrong.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
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
if (write) {
  const result = {
    date: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
    command: `npm run failovers -- --times ${times} --seed ${seed} --processes ${processes} --write`,
    node: process.version,
    figures,
    violations,
  }
  const place = fileURLToPath(new URL('../../../../docs/evidence/failovers.json', import.meta.url))
  writeFileSync(place, `${JSON.stringify(result, undefined, 2)}\n`)
}
process.exitCode = violations.length === 0 && count === Number(times) ? 0 : 1

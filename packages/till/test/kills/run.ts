/**
 * A long run: `npm run kills -- --kills 10000 --seed 1`. Writes what it came to to docs/evidence, and fails where something was wrong.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
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
    dry: { type: 'boolean', default: false },
  },
})
const { kills, seed, lanes, engines, thorough, only, dry } = values
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
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
const report = `# ${tally.kills()} kills

| | |
| --- | --- |
| Command | \`npm run kills -- --kills ${kills} --seed ${seed} --lanes ${lanes} --engines ${engines}${thorough ? ' --thorough' : ''}\` in packages/till |
| Commit | ${commit} |
| Seed | ${seed} |
| Date | ${startedAt.toISOString()}, ${Math.round((Date.now() - startedAt.getTime()) / 1000)} s |
| Node.js | ${process.version} |
| Kills | ${tally.kills()} |
| Points that were never hit | ${never.length} |
| Violations | ${violations.length} |
${[...violations, ...never.map(each => `never hit: ${each}`)].map(each => `\n- ${each.split('\n').join('\n  ')}`).join('')}

${tally.table()}
`
process.stdout.write(report)
if (!dry) {
  const place = fileURLToPath(new URL('../../../../docs/evidence/', import.meta.url))
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, `kills-${seed}.md`), report)
}
process.exitCode = violations.length + never.length === 0 && tally.kills() >= Number(kills) ? 0 : 1

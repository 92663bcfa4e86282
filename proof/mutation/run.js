/**
 * Changes the code in small ways, and looks whether a test notices: `npm run mutants -- --only signing/keys`.
 *
 * It takes about an hour on two cores, so that no CI runs it. `--write` writes the counts to docs/evidence/mutation.json.
 */
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { writeParts } from '../../scripts/evidence/result.js'
import { counted, failures, sum } from './counts.js'
import { parts } from './parts.js'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: String(availableParallelism()) },
  },
})
process.chdir(root)
const chosen = parts.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`No part has ${JSON.stringify(values.only)} in its name.`)
const say = line => process.stdout.write(`${line}\n`)

const startedAt = new Date()
const counts = {}
for (const part of chosen) {
  const begun = performance.now()
  const mutants = await mutantsOf(part)
  const count = { ...counted(mutants), seconds: Math.round((performance.now() - begun) / 1000) }
  counts[part.name] = count
  for (const { fileName, location, status, mutatorName, replacement } of mutants) {
    if (status !== 'Survived' && status !== 'NoCoverage') continue
    const { line, column } = location.start
    const change = String(replacement).replace(/\s+/g, ' ').slice(0, 120)
    say(`  ${fileName.replace(`${root}/`, '')}:${line}:${column} ${status} ${mutatorName}: ${change}`)
  }
  say(`${part.name}: ${JSON.stringify(count)}`)
}
const whole = sum(Object.values(counts))
const problems = failures(whole)
say(`All: ${JSON.stringify(whole)}`)
for (const problem of problems) say(problem)
if (values.write) {
  const violationsOf = parts => failures(sum(Object.values(parts)))
  writeParts('mutation', { run: 'npm run mutants', startedAt, parts: counts, violationsOf })
}
process.exitCode = problems.length === 0 ? 0 : 1

async function mutantsOf({ mutate, tests }) {
  process.env.MUTANTS_TESTS = tests.join(' ')
  const stryker = new Stryker({
    mutate: [...mutate, '!**/*.test.ts', '!**/*.test-d.ts'],
    plugins: [join(here, 'runner.js')],
    testRunner: 'part',
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: Number(values.concurrency),
    reporters: [],
    allowConsoleColors: false,
    logLevel: process.env.MUTANTS_LOG ?? 'error',
    checkers: [],
    tempDirName: 'node_modules/.cache/mutants',
    ignorePatterns: ['/*', '!/packages', '**/dist', '.turbo'],
    disableTypeChecks: false,
    // What loops for ever is noticed by the time that the tests take without a change.
    timeoutFactor: 2,
    timeoutMS: 5000,
  })
  return stryker.runMutationTest()
}

/**
 * Changes the code in small ways, and looks whether a test notices: `npm run mutants -- --only signing/keys`.
 *
 * It takes about an hour on two cores, so that no CI runs it. `--write` writes the counts to docs/evidence/mutation.json.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
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
if (values.write) write()
process.exitCode = problems.length === 0 ? 0 : 1

async function mutantsOf({ mutate, tests }) {
  process.env.MUTANTS_TESTS = tests.join(' ')
  const stryker = new Stryker({
    mutate: [...mutate, '!**/*.test.ts', '!**/*.test-d.ts'],
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    testRunner: 'vitest',
    vitest: { configFile: join(here, 'vitest.config.ts'), related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: Number(values.concurrency),
    reporters: [],
    allowConsoleColors: false,
    logLevel: process.env.MUTANTS_LOG ?? 'error',
    checkers: [],
    tempDirName: 'node_modules/.cache/mutants',
    ignorePatterns: ['/docs', '/examples', '/bench', '/test-projects', '/tarballs', '/api', '**/dist', '.turbo'],
    disableTypeChecks: false,
    // What loops for ever is noticed by the time that the tests take without a change.
    timeoutFactor: 2,
    timeoutMS: 10_000,
  })
  return stryker.runMutationTest()
}

/** Each part in place of what was written of it before. */
function write() {
  const file = join(root, 'docs/evidence/mutation.json')
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { parts: {} }
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  const [date, command] = [new Date().toISOString(), ['npm run mutants --', ...process.argv.slice(2)].join(' ')]
  const own = Object.entries(counts).map(([name, count]) => [name, { ...count, date, commit }])
  const all = Object.fromEntries(Object.entries({ ...before.parts, ...Object.fromEntries(own) }).sort())
  const packages = byPackage(all)
  writeFileSync(file, `${JSON.stringify({ date, commit, command, packages, parts: all }, undefined, 2)}\n`)
  say('Written to docs/evidence/mutation.json.')
}

function byPackage(all) {
  const names = [...new Set(Object.keys(all).map(name => name.split('/')[0]))]
  return Object.fromEntries(
    names.map(name => [
      name,
      sum(Object.entries(all).flatMap(([part, count]) => (part.startsWith(`${name}/`) ? [count] : []))),
    ]),
  )
}

/**
 * `npm test`: builds, runs what a person runs while working, and ends with one plain count. `npm run soak` runs the long tests,
 * those of files that end in `.soak.test.ts`, in the same way.
 *
 * Without it each package prints a count of its own, a package that ran no test at all looks green, and a test that was
 * skipped because a browser is missing goes unnoticed. Reports are deleted first, so an old one cannot be counted.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { prepareTools } from './test-tools.js'
import { root, shell, took, workspaces } from './workspaces.js'

const isSoak = process.argv.includes('--soak')
const report = directory => join(root, directory, 'node_modules/.test-report.json')
const isLong = name => name.endsWith('.soak.test.ts')
const hasTests = directory => !isSoak || readdirSync(join(root, directory, 'test'), { recursive: true }).some(isLong)
const tested = workspaces().filter(({ directory, manifest }) => manifest.scripts?.test && hasTests(directory))
for (const { directory } of tested) rmSync(report(directory), { force: true })

/** At the end of the output as well: the place where it failed is thousands of lines up by then. */
function describeFailures({ testResults }) {
  for (const { name, message, status, assertionResults } of testResults) {
    const file = relative(root, name)
    if (status === 'failed' && assertionResults.length === 0) console.log(`\nFAILED ${file}\n${message}`)
    for (const test of assertionResults.filter(each => each.status === 'failed'))
      console.log(`\nFAILED ${file} > ${test.fullName}\n${test.failureMessages.map(withReason).join('\n')}`)
  }
}

/** Of a test that took too long the report has a stack in place of the message. */
function withReason(message) {
  return message.replace(/^Error: STACK_TRACE_ERROR/, 'It took longer than it may: it hangs, or this machine is busy.')
}

try {
  prepareTools()
} catch (error) {
  console.log(`\n${error.message}\n\n0 passed, 1 failed`)
  process.exit(1)
}

console.log('Building what has changed, then testing…')

// Long tests start processes and browsers of their own: more than two packages at a time would only wait for each other.
const lanes = isSoak ? ['--concurrency=2'] : []
const run = spawnSync('turbo', ['run', 'test', '--continue', ...lanes], {
  cwd: root,
  stdio: 'inherit',
  shell,
  env: { ...process.env, SOAK: isSoak ? '1' : '0' },
})

let [passed, failed, skipped] = [0, 0, 0]
const silent = []
const timed = []
for (const { directory, manifest } of tested) {
  if (!existsSync(report(directory))) {
    silent.push(manifest.name)
    continue
  }
  const result = JSON.parse(readFileSync(report(directory), 'utf8'))
  passed += result.numPassedTests
  failed += result.numFailedTests
  skipped += result.numPendingTests + result.numTodoTests
  // A file that could not even be loaded has no tests to count; it still failed.
  failed += result.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0).length
  describeFailures(result)
  timed.push(...timesIn(result))
}

function timesIn({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, name),
      fullName,
      duration: duration ?? 0,
    })),
  )
}

/** So that a test that has become slow is seen by the person who made it so. */
function describeTimes() {
  const write = ({ file, fullName, duration }) => `  ${Math.round(duration)} ms  ${file} > ${fullName}`
  const slowest = timed.toSorted((a, b) => b.duration - a.duration)
  const slowUnits = slowest.filter(({ file, duration }) => file.includes('/src/') && duration > 300)
  if (slowUnits.length > 0) console.log(`\nUnit tests above 300 ms:\n${slowUnits.map(write).join('\n')}`)
  console.log(`\nThe slowest ten:\n${slowest.slice(0, 10).map(write).join('\n')}`)
}
describeTimes()

for (const name of silent) console.log(`${name} ran no test: its build or its test runner failed, see above.`)
if (skipped > 0)
  console.log(`${skipped} tests were skipped. None may be: install what they need (see CONTRIBUTING.md).`)
const broken = failed + silent.length
console.log(`\n${took()}\n${passed} passed, ${broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
// In CI nothing may be skipped: what it needs is installed there.
const complete = passed > 0 && (skipped === 0 || process.env.CI === undefined)
process.exitCode = run.status === 0 && broken === 0 && complete ? 0 : 1

/**
 * `npm test`: builds what has changed, runs what a person runs while working, and ends with one plain count. `npm run soak` runs the
 * long tests in the same way: files that end in `.soak.test.ts`.
 *
 * Without it the count would not be the last line, nobody would see what the tests cost, and a test that was skipped because a
 * browser is missing would go unnoticed. vitest has an option for none of them.
 *
 *     npm test -- packages/till            the tests below a folder, or of a file
 *     npm test -- form open                the tests whose titles hold these words
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { TestReporter } from './test-reporter.js'
import { prepareTools } from './test-tools.js'
import { root, shell, took } from './workspaces.js'

const asked = process.argv.slice(2).filter(word => word !== '--soak')
const isSoak = process.argv.includes('--soak')
process.env.SOAK = isSoak ? '1' : '0'
const places = asked.filter(word => existsSync(join(root, word)))
const words = asked.filter(word => !places.includes(word)).join(' ')

try {
  prepareTools()
} catch (error) {
  console.log(`\n${error.message}\n\n0 passed, 1 failed`)
  process.exit(1)
}

// Some tests use what is packed. Turbo answers in a moment where nothing has changed.
const build = spawnSync('turbo', ['run', 'build', '--output-logs=errors-only'], {
  cwd: root,
  stdio: 'inherit',
  shell,
})
if (build.status !== 0) {
  console.log('\nThe build failed, see above.\n\n0 passed, 1 failed')
  process.exit(1)
}

const reporter = new TestReporter()
const vitest = await startVitest('test', places, {
  root,
  watch: false,
  silent: 'passed-only',
  reporters: [reporter],
  testNamePattern: words === '' ? undefined : words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
})
await vitest.close()

// No tests of one package: they take what is packed, and other runtimes.
if (isSoak && asked.length === 0) {
  reporter.run('consumer projects, on every runtime', 'npm', ['run', '-s', 'consumers'])
  reporter.run('a release, to a registry of its own', 'node', ['scripts/check-release.js'])
}

const { passed, failed } = reporter
console.log('\nThe slowest ten:')
for (const { file, name, duration } of reporter.slowest(10))
  console.log(`  ${Math.round(duration)} ms  ${file} > ${name}`)
// Where only some titles were asked for, the runner counts the others as skipped.
const skipped = words === '' ? reporter.skipped : 0
if (skipped > 0)
  console.log(`${skipped} tests were skipped. None may be: install what they need (see CONTRIBUTING.md).`)
console.log(`\n${took()}`)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(process.exitCode || failed > 0 || passed === 0 ? 1 : 0)

/**
 * What `npm test` prints: one line for each file, the failures at the end, then the slowest ten.
 *
 * vitest's own reporter adds a line for each slow test and repeats each failure in the middle, where nobody sees it. And a test that
 * hangs would keep a terminal busy without saying which it is.
 */
import { spawnSync } from 'node:child_process'
import { DefaultReporter } from 'vitest/node'
import { root, shell } from './workspaces.js'

export class TestReporter extends DefaultReporter {
  passed = 0
  failed = 0
  skipped = 0
  #timed = []

  constructor() {
    super({ summary: false })
  }

  /** One line a file: what failed in it stands at the end, with its reason. */
  printTestCase() {}
  printTestSuite() {}

  onTestModuleEnd(testModule) {
    super.onTestModuleEnd(testModule)
    // A file that could not even be loaded has no tests to count; it still failed.
    if (testModule.state() === 'failed' && testModule.children.size === 0) this.failed += 1
  }

  onTestRunEnd(testModules, unhandledErrors, reason) {
    super.onTestRunEnd(testModules, unhandledErrors, reason)
    this.failed += unhandledErrors.length
  }

  onTestCaseResult(test) {
    super.onTestCaseResult(test)
    const { state, errors = [] } = test.result()
    this[state] += 1
    const file = test.module.relativeModuleId
    this.#timed.push({ file, name: test.fullName, duration: test.diagnostic()?.duration ?? 0 })
    // Each further one would wait for the whole budget again.
    if (errors.some(({ message }) => /timed out in \d+ms/.test(message))) void this.ctx.cancelCurrentRun('test-failure')
  }

  /** Runs a command as one test more. */
  run(name, command, parameters) {
    console.log(`\n${name}`)
    const start = performance.now()
    const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', shell })
    this[status === 0 ? 'passed' : 'failed'] += 1
    this.#timed.push({ file: command, name, duration: performance.now() - start })
  }

  /** So that a test that has become slow is seen by the person who made it so. */
  slowest(count) {
    return this.#timed.toSorted((a, b) => b.duration - a.duration).slice(0, count)
  }
}

/**
 * Runs the tests of a part for Stryker, in the process that it starts.
 *
 * vitest starts a thread for each run of a file, which takes longer than the tests: here it only collects and runs them.
 */
import { startTests } from 'vitest/internal/browser'
import { bundle } from './bundle.js'

// The name by which Stryker's changed code finds what is asked of it.
globalThis.__stryker__ ??= {}
const asked = globalThis.__stryker__

const nameOf = task => (task.suite === undefined ? task.name : `${nameOf(task.suite)} ${task.name}`)
const idOf = test => `${test.file.name}#${nameOf(test)}`
const testsOf = task => (task.type === 'test' ? [task] : task.tasks.flatMap(testsOf))

/** Stryker's numbers for how a test ended. */
const [passed, failed, skipped] = [0, 1, 2]

/** What vitest asks while it collects and runs the tests of some files. `chosen` are those that reach a mutant; all where it is absent. */
class Runner {
  config = {
    root: process.cwd(),
    name: '',
    setupFiles: [],
    sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
    // Stryker itself ends what hangs.
    testTimeout: 0,
    hookTimeout: 0,
    maxConcurrency: 1,
    retry: 0,
    tags: [],
    includeTaskLocation: false,
    allowOnly: false,
    diffOptions: undefined,
  }
  #files
  #chosen
  #isOver = false

  constructor(files, chosen) {
    this.#files = files
    this.#chosen = chosen
  }

  importFile(path) {
    return this.#files[path]()
  }

  onBeforeRunTask(test) {
    const isChosen = this.#chosen?.has(idOf(test)) ?? true
    if (this.#isOver || !isChosen) test.mode = 'skip'
    else asked.currentTestId = idOf(test)
  }

  onAfterRunTask(test) {
    asked.currentTestId = undefined
    // The first one that notices is enough.
    this.#isOver ||= this.#chosen !== undefined && test.result?.state === 'fail'
  }
}

/** The answers to Stryker, once for each process and each mutant. */
export class PartRunner {
  static inject = []
  #tests = process.env.MUTANTS_TESTS.split(' ')
  #bundle

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    // `expect` looks for the state of a thread.
    globalThis.__vitest_worker__ = { config: {}, current: undefined }
    this.#bundle = await bundle(this.#tests)
  }

  async dryRun() {
    asked.activeMutant = undefined
    const tests = await this.#run(this.#tests)
    return { status: 'complete', tests, mutantCoverage: asked.mutantCoverage ?? { static: {}, perTest: {} } }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const files = this.#tests.filter(path => testFilter.some(id => id.startsWith(`${path}#`)))
    Object.assign(asked, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 })
    const tests = await this.#run(files, new Set(testFilter))
    if (asked.hitCount > hitLimit) return { status: 'timeout', reason: 'It repeats itself.' }
    const noticing = tests.filter(({ status }) => status === failed)
    const nrOfTests = tests.filter(({ status }) => status !== skipped).length
    if (noticing.length === 0) return { status: 'survived', nrOfTests }
    return {
      status: 'killed',
      killedBy: noticing.map(({ id }) => id),
      failureMessage: noticing[0].failureMessage,
      nrOfTests,
    }
  }

  async #run(files, chosen) {
    const done = await startTests(files, new Runner(await this.#bundle({ isCounting: chosen === undefined }), chosen))
    return done.flatMap(file => {
      const failure = file.result?.errors?.[0]
      if (failure !== undefined)
        return [{ id: file.name, name: file.name, timeSpentMs: 0, status: failed, failureMessage: failure.message }]
      return testsOf(file).map(test => ({
        id: idOf(test),
        name: nameOf(test),
        fileName: test.file.filepath,
        timeSpentMs: test.result?.duration ?? 0,
        status: { pass: passed, fail: failed }[test.result?.state] ?? skipped,
        failureMessage: test.result?.errors?.[0]?.message ?? '',
      }))
    })
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'part', injectableClass: PartRunner }]

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root, workspaces } from './scripts/workspaces.js'

/**
 * In-repo imports resolve to source, so tests need no build. Nothing else may stand here: vitest hands these to Node.js as
 * well, and with `import` among them `require` is given ES modules.
 */
const conditions = ['@tillkit/source', 'node']

/** Tests that take long: whole matrices, random worlds, every walk in a browser. `npm run soak` runs them, and CI does. */
const long = '**/*.soak.test.ts'
const isSoak = process.env.SOAK === '1'

/** The one budget of time, in milliseconds. It means "it hangs", on any machine. */
const budget = 600_000

const patterns = isSoak ? [`test/${long}`] : ['src/**/*.test.ts', 'test/**/*.test.ts']

const packages = workspaces()
const served = packages.filter(({ directory }) => existsSync(serverOf(directory)))
const others = packages.filter(each => !served.includes(each))

/** Starts what the tests of a package need besides themselves. */
function serverOf(directory: string): string {
  return join(root, directory, 'test/postgres-setup.ts')
}

/** Packages whose tests run in one project. With a project for each, each worker would load what they all import once for each. */
const project = (name: string, members: typeof packages, globalSetup: readonly string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: members.flatMap(({ directory }) => patterns.map(each => `${directory}/${each}`)),
    globalSetup: [...globalSetup],
  },
})

const projects = [
  ...served.map(each => project(basename(each.directory), [each], [serverOf(each.directory)])),
  project('all', others),
]

/** Files that take longest, most of it waiting: what is begun last is waited for alone. */
const longest = ['campaigns', 'accessible.browser', 'stopped', 'many-cases', 'every-row', 'certify', 'worlds', 'deaths']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(name => basename(moduleId).startsWith(`${name}.`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

/**
 * A digest of where the entries of the packages lie. vitest keeps a transformed file until its text changes, and the file names these
 * places: where one moves, another cache is begun.
 */
const entries = createHash('sha256')
  .update(JSON.stringify(packages.map(({ manifest }) => manifest.exports)))
  .digest('hex')

/**
 * One runner for all packages: one process, one worker for each core. Long tests mostly wait, for browsers and processes of their own:
 * two workers for each core. All projects have one root, so that they share one cache of transformed files.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    sequence: { sequencer: LongestFirst },
    // Files of a package share one thread of modules: nothing here keeps state between tests but bounded memories, and starting each
    // file anew took half of the time.
    pool: 'threads',
    maxWorkers: availableParallelism() * (isSoak ? 2 : 1),
    isolate: false,
    setupFiles: [join(root, 'scripts/test-setup.ts')],
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, 'node_modules/.cache/vitest', entries) },
    exclude: isSoak ? [] : [long],
    testTimeout: budget,
    hookTimeout: budget,
  },
})

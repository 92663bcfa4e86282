import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { defineConfig } from 'vitest/config'
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

const projects = workspaces()
  .filter(({ directory }) => existsSync(join(root, directory, 'test')))
  .map(({ directory }) => ({
    extends: true as const,
    test: {
      name: basename(directory),
      include: (isSoak ? [`test/${long}`] : ['src/**/*.test.ts', 'test/**/*.test.ts']).map(
        each => `${directory}/${each}`,
      ),
      globalSetup: existsSync(join(root, directory, 'test/postgres-setup.ts'))
        ? [join(root, directory, 'test/postgres-setup.ts')]
        : [],
    },
  }))

/**
 * One runner for all packages: one process, one worker for each core. Long tests mostly wait, for browsers and processes of their own:
 * two workers for each core. All projects have one root, so that they share one cache of transformed files.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    // Files of a package share one thread of modules: nothing here keeps state between tests but bounded memories, and starting each
    // file anew took half of the time.
    pool: 'threads',
    maxWorkers: availableParallelism() * (isSoak ? 2 : 1),
    isolate: false,
    setupFiles: [join(root, 'scripts/test-setup.ts')],
    experimental: { fsModuleCache: true },
    exclude: isSoak ? [] : [long],
    testTimeout: budget,
    hookTimeout: budget,
  },
})

import type { ViteUserConfig } from 'vitest/config'

/**
 * In-repo imports resolve to source, so tests need no build. Nothing else may stand here: vitest hands these to Node.js as
 * well, and with `import` among them `require` is given ES modules.
 */
const conditions = ['@tillkit/source', 'node']

/** Tests that take long: whole matrices, random worlds, every walk in a browser. `npm run soak` runs them, and CI does. */
const long = '**/*.soak.test.ts'
const isSoak = process.env.SOAK === '1'

/** What every package's tests run with. scripts/test.js adds up the reports. */
export const base: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Files share one thread of modules: nothing here keeps state between tests but bounded memories, and starting each file
    // anew took half of the time.
    pool: 'threads',
    isolate: false,
    include: isSoak ? [`test/${long}`] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: isSoak ? [] : [long],
    passWithNoTests: isSoak,
    reporters: ['default', 'json'],
    // A test that hangs fails in the end; one on a busy machine is not what this is for.
    testTimeout: isSoak ? 180_000 : 30_000,
    hookTimeout: isSoak ? 180_000 : 60_000,
    outputFile: { json: 'node_modules/.test-report.json' },
  },
}

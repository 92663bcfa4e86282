import type { ViteUserConfig } from 'vitest/config'

/** In-repo imports resolve to source, so tests need no build. */
const conditions = ['@tillkit/source', 'node', 'import', 'module', 'default']

/** What every package's tests run with. `TEST_REPORT` is set by scripts/test.js, which adds up the reports. */
export const base: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.test-report.json' },
  },
}

/** The tests of one part, which `MUTANTS_TESTS` lists, without projects and their servers. */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const conditions = ['@tillkit/source', 'node']
const root = process.cwd()

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: (process.env.MUTANTS_TESTS ?? '').split(' '),
    pool: 'threads',
    setupFiles: [join(root, 'scripts/test-setup.ts')],
    testTimeout: 60_000,
  },
})

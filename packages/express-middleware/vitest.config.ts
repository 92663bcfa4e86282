import { defineConfig } from 'vitest/config'
import { base } from '../../vitest.base.js'

/**
 * vitest starts Node.js with these conditions. `import` must not be among them: it would hold for `require` as well, and
 * Express 5 requires a package (`is-promise`) whose `import` entry is no function.
 */
const conditions = ['@tillkit/source', 'node']

export default defineConfig({ ...base, resolve: { conditions }, ssr: { resolve: { conditions } } })

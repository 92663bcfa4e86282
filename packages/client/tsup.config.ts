import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({
  ...base,
  entry: { index: 'src/index.ts', core: 'src/core.ts' },
  // Both kinds of modules: an error that the core makes is an instance of the class that the client exports.
  splitting: true,
})

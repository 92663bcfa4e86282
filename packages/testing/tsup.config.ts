import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({
  ...base,
  // The package ships its sources, so the maps need not hold them once more.
  esbuildOptions: options => {
    options.sourcesContent = false
  },
  entry: ['src/index.ts', 'src/vitest.ts', 'src/jest.ts', 'src/vectors.ts', 'src/gateway.ts'],
  // Both kinds of modules: an error thrown by one entry is an instance of the class that another exports.
  splitting: true,
})

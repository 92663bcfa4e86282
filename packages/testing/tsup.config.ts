import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/vitest.ts', 'src/jest.ts', 'src/vectors.ts', 'src/gateway.ts', 'src/rules.ts'],
  // Both kinds of modules: an error thrown by one entry is an instance of the class that another exports.
  splitting: true,
})

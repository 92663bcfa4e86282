import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

const entries = ['src/index.ts', 'src/vitest.ts', 'src/jest.ts', 'src/vectors.ts']

export default defineConfig({
  ...base,
  entry: [...entries, 'src/bin.ts'],
  // Nobody imports the command.
  dts: { ...base.dts, entry: entries },
})

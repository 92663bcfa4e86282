import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: true,
})

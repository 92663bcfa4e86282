import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts', screenshots: 'test/screenshots.ts' },
  format: ['esm'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: true,
})

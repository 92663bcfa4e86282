import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts', 'shop-process': 'src/shop-process.ts', screenshots: 'test/screenshots.ts' },
  format: ['esm'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: true,
  // For the screenshots only, so a development dependency; it cannot be bundled.
  external: ['playwright-core'],
})

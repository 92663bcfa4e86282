import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts', 'shop-process': 'src/shop-process.ts' },
  format: ['esm'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: true,
})

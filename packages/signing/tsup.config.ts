import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({
  ...base,
  entry: { index: 'src/index.ts', explain: 'src/explain/index.ts' },
  esbuildPlugins: [
    ...base.esbuildPlugins,
    {
      name: 'explain-imports-index',
      // One file to load for whoever signs, and one set of error classes for whoever has both entries explained.
      setup({ onResolve, initialOptions }) {
        const extension = initialOptions.format === 'cjs' ? 'cjs' : 'js'
        onResolve({ filter: /^(\.\.\/)+index\.js$/ }, () => ({ path: `./index.${extension}`, external: true }))
      },
    },
  ],
})

import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

/**
 * jose is ESM only, and jest on Node.js 20 and 22 cannot require that: the CommonJS build carries it along, the ESM
 * build imports it.
 */
const joseStaysOutsideOfEsm = {
  name: 'jose-stays-outside-of-esm',
  setup(build: {
    initialOptions: { format?: string }
    onResolve(options: { filter: RegExp }, resolve: () => { external: boolean } | undefined): void
  }) {
    build.onResolve({ filter: /^jose$/ }, () =>
      build.initialOptions.format === 'esm' ? { external: true } : undefined,
    )
  },
}

const joseLicense = () => readFileSync(new URL('node_modules/jose/LICENSE.md', import.meta.url), 'utf8').trim()

export default defineConfig({
  ...base,
  entry: { index: 'src/index.ts', core: 'src/core.ts' },
  noExternal: ['jose'],
  esbuildPlugins: [joseStaysOutsideOfEsm],
  // What is carried along keeps its licence.
  footer: ({ format }) => (format === 'cjs' ? { js: `/*! This file contains jose.\n\n${joseLicense()}\n*/` } : {}),
})

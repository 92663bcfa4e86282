import { readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { base, isDeclarations } from '../../tsup.base.js'

/**
 * jose is ESM only, and jest on Node.js 20 and 22 cannot require that: the CommonJS build carries it along as a file of its own,
 * the ESM build imports it.
 */
const joseOfItsOwn = {
  name: 'jose-of-its-own',
  setup({ initialOptions, onResolve }: EsbuildPlugin) {
    const isCommonJs = initialOptions.outExtension?.['.js'] === '.cjs'
    onResolve({ filter: /^jose$/ }, () => ({ path: isCommonJs ? './jose.cjs' : 'jose', external: true }))
  },
}

interface EsbuildPlugin {
  readonly initialOptions: { readonly outExtension?: Readonly<Record<string, string>> }
  onResolve(options: { filter: RegExp }, resolve: () => { path: string; external: boolean }): void
}

const joseLicense = () => readFileSync(new URL('node_modules/jose/LICENSE.md', import.meta.url), 'utf8').trim()

const packed: Options = {
  ...base,
  entry: { index: 'src/index.ts', core: 'src/core.ts' },
  // Both kinds of modules: an error that a middleware hands to `next` is an instance of the class that the core exports.
  splitting: true,
  noExternal: ['jose'],
  esbuildPlugins: [joseOfItsOwn, ...base.esbuildPlugins],
  clean: [...base.clean, '!jose.cjs'],
}

const carried: Options = {
  ...base,
  entry: { jose: 'jose.ts' },
  format: ['cjs'],
  noExternal: ['jose'],
  // Its sources are not shipped, so a map would lead nowhere.
  sourcemap: false,
  clean: false,
  // What is carried along keeps its licence.
  footer: { js: `/*! This file contains jose.\n\n${joseLicense()}\n*/` },
}

export default defineConfig(isDeclarations ? packed : [packed, carried])

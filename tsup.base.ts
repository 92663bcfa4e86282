import type { Options } from 'tsup'

/** What every published package is built with; a package adds its entries and what it bundles. */
export const base = {
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: true,
  // tsup sets `baseUrl` for its declaration build, which TypeScript 6 calls deprecated. The custom condition is
  // switched off so that a package is built against the emitted declarations of the packages below it.
  dts: { compilerOptions: { ignoreDeprecations: '6.0', customConditions: [] } },
} satisfies Options

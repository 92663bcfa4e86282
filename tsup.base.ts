import { readFileSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { Options } from 'tsup'
import { sharedShapes } from './scripts/shared-shapes.js'

/**
 * Declarations take eight times as long as everything else, and whoever runs the programs needs none: `npm run declarations` writes
 * them and nothing else, `npm run build` the rest.
 */
export const isDeclarations = process.env.npm_lifecycle_event === 'declarations'

/** What every published package is built with; a package adds its entries and what it bundles. */
export const base = {
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  target: 'node20.19',
  platform: 'node',
  sourcemap: true,
  clean: ['!**/*.d.ts', '!**/*.d.cts'],
  esbuildPlugins: [sharedShapes],
  // The packages ship their sources, so the maps need not hold them once more.
  esbuildOptions: options => {
    options.sourcesContent = false
  },
  plugins: [
    {
      // tsup names a CommonJS file in its own map, by where it stood on the machine that built it. It stands beside its map.
      name: 'maps-without-this-machine',
      buildEnd({ writtenFiles }) {
        for (const { name } of writtenFiles.filter(each => each.name.endsWith('.map'))) {
          const map: { sources: string[]; file?: string } = JSON.parse(readFileSync(name, 'utf8'))
          const local = (path: string) => (isAbsolute(path) ? basename(path) : path)
          map.sources = map.sources.map(local)
          map.file = basename(name, '.map')
          writeFileSync(name, JSON.stringify(map))
        }
      },
    },
  ],
  // tsup sets `baseUrl` for its declaration build, which TypeScript 6 calls deprecated. The custom condition is
  // switched off so that a package is built against the emitted declarations of the packages below it.
  dts: isDeclarations && {
    only: true,
    compilerOptions: { ignoreDeprecations: '6.0', customConditions: [], noCheck: true },
  },
} satisfies Options

/** What a bundle of this package weighs, minified and compressed. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

// It comes with tsup, which builds the package with it.
const esbuild = createRequire(createRequire(import.meta.url).resolve('tsup'))('esbuild')
const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

function kilobytes(imported, from = '@tillkit/signing') {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: `export ${imported} from '${from}'`, resolveDir: packageRoot },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  return gzipSync(outputFiles[0].text).length / 1000
}

const against = 'kB'
const microseconds = {}

export const rows = [
  {
    name: 'Bundle of what a control-only user imports',
    against,
    ratio: kilobytes('{ controlItems, controlString, controlValue, fromMinorUnits, toMinorUnits, verifyControlValue }'),
    atMost: 6,
    microseconds,
  },
  { name: 'Bundle of everything in @tillkit/signing', against, ratio: kilobytes('*'), atMost: 12, microseconds },
  {
    name: 'Bundle of everything in @tillkit/signing/explain, with what it shares',
    against,
    ratio: kilobytes('*', '@tillkit/signing/explain'),
    microseconds,
  },
]

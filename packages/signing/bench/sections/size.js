/** What a bundle of this package weighs, minified and compressed. Half of the whole are the texts of explanations. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as signing from '@tillkit/signing'

// It comes with tsup, which builds the package with it.
const esbuild = createRequire(createRequire(import.meta.url).resolve('tsup'))('esbuild')
const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

function kilobytes(imported) {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: `export ${imported} from '@tillkit/signing'`, resolveDir: packageRoot },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  return gzipSync(outputFiles[0].text).length / 1000
}

const withoutExplanations = Object.keys(signing).filter(name => !/^(explain|describe)/.test(name))
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
  {
    name: 'Bundle of all but the explanations',
    against,
    ratio: kilobytes(`{ ${withoutExplanations.join(', ')} }`),
    microseconds,
  },
  { name: 'Bundle of everything', against, ratio: kilobytes('*'), atMost: 12, microseconds },
]

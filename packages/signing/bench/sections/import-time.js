/** What importing the package adds to a bare start of Node.js. */
import { spawnSync } from 'node:child_process'
import { median } from '../measure.js'

const starts = 31
const packageRoot = new URL('../..', import.meta.url)

function startMilliseconds(code) {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: packageRoot })
  if (status !== 0) throw new Error(`A start that was to be measured ended with ${status}.`)
  return performance.now() - start
}

const bare = []
const withCrypto = []
const withPackage = []
for (let start = 0; start < starts; start++) {
  bare.push(startMilliseconds('export {}'))
  withPackage.push(startMilliseconds("import '@tillkit/signing'"))
  withCrypto.push(startMilliseconds("import 'node:crypto'"))
}
const added = (longer, shorter) => median(longer.map((time, start) => time - shorter[start]))
const microseconds = {
  bare: median(bare) * 1000,
  'with the package': median(withPackage) * 1000,
  'with node:crypto': median(withCrypto) * 1000,
}

export const rows = [
  {
    name: 'Import',
    against: 'ms more than a bare start of Node.js',
    ratio: added(withPackage, bare),
    atMost: 5,
    microseconds,
  },
  {
    name: 'Import',
    against: 'ms more than a start that imports node:crypto',
    ratio: added(withPackage, withCrypto),
    microseconds,
  },
]

/** What importing the package adds to a bare start of Node.js. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../measure.js'

const starts = 61
const directory = new URL('../starts/', import.meta.url)

function startMilliseconds(program) {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(program, directory))])
  if (status !== 0) throw new Error(`${program} ended with ${status}.`)
  return performance.now() - start
}

const bare = []
const withCrypto = []
const withPackageOfCrypto = []
const withPackage = []
for (let start = 0; start < starts; start++) {
  bare.push(startMilliseconds('bare.js'))
  withPackage.push(startMilliseconds('with-package.js'))
  withCrypto.push(startMilliseconds('with-crypto.js'))
  withPackageOfCrypto.push(startMilliseconds('only-crypto/start.js'))
}
const added = (longer, shorter) => median(longer.map((time, start) => time - shorter[start]))
const microseconds = {
  bare: median(bare) * 1000,
  'with the package': median(withPackage) * 1000,
  'with node:crypto': median(withCrypto) * 1000,
  'with a package that only imports node:crypto': median(withPackageOfCrypto) * 1000,
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
    against: 'ms more than importing a package that only imports node:crypto',
    ratio: added(withPackage, withPackageOfCrypto),
    microseconds,
  },
]

/** What importing the package adds to a bare start of Node.js. */
import { measureStarts } from '../../../../bench/starts.js'

const starts = new URL('../starts/', import.meta.url)

const { microseconds, added } = measureStarts({
  bare: new URL('bare.js', starts),
  'with the package': new URL('with-package.js', starts),
  'with node:crypto': new URL('with-crypto.js', starts),
  'with a package that only imports node:crypto': new URL('only-crypto/start.js', starts),
})

export const rows = [
  {
    name: 'Import',
    against: 'ms more than a bare start of Node.js',
    ratio: added('with the package', 'bare'),
    atMost: 5,
    microseconds,
  },
  {
    name: 'Import',
    against: 'ms more than importing a package that only imports node:crypto',
    ratio: added('with the package', 'with a package that only imports node:crypto'),
    microseconds,
  },
]

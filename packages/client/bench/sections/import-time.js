/** What importing the package adds to importing undici, and how much of that is finding and loading three files. */
import { measureStarts } from '../../../../bench/starts.js'

const starts = new URL('../starts/', import.meta.url)

const { microseconds, added } = measureStarts({
  bare: new URL('bare.js', starts),
  'with undici': new URL('with-undici.js', starts),
  'with empty packages': new URL('empty/start.js', starts),
  'with the package': new URL('with-package.js', starts),
})

export const rows = [
  {
    name: 'Import of the ESM build',
    against: 'ms more than importing undici alone',
    ratio: added('with the package', 'with undici'),
    atMost: 8,
    microseconds,
  },
  {
    name: 'Import of three packages that hold nothing',
    against: 'ms more than importing undici alone',
    ratio: added('with empty packages', 'with undici'),
  },
]

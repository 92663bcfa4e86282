/**
 * Any request, built by this package and by others. What differs is made smaller before it is shown.
 *
 * @module
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestParts } from './naive-builder.js'
import { comparisons } from './other-builders.js'

const text = fc.string({ unit: 'grapheme' }).filter(candidate => !/\p{Surrogate}/u.test(candidate))
/** Few different characters, so that names repeat and begin alike. */
const pieces = fc
  .oneof(
    text,
    fc.string({ unit: fc.constantFrom('a', 'A', '-', '~', ' ', '+', '%', '&', '=', 'é', '🛒'), maxLength: 3 }),
  )
  .filter(candidate => !candidate.startsWith('oauth_'))
const request: fc.Arbitrary<RequestParts> = fc.record({
  method: fc.constantFrom('POST', 'GET', 'put', 'M-SEARCH'),
  scheme: fc.constantFrom('https', 'http', 'HTTPS'),
  host: fc.constantFrom('gate.example', 'GATE.Example', '[::1]', '127.0.0.1'),
  port: fc.constantFrom(undefined, '80', '443', '8443'),
  path: fc.constantFrom('', '/', '/paynet/api/v2/payout/39', '/a%20b/%c3%a9'),
  query: fc.array(fc.tuple(pieces, pieces), { maxLength: 3 }),
  form: fc.array(fc.tuple(pieces, pieces), { maxLength: 6 }),
})

const addressOf = ({ scheme, host, port, path, query }: RequestParts): URL => {
  const search = query.map(pair => pair.map(encodeURIComponent).join('=')).join('&')
  return new URL(`${scheme}://${host}${port === undefined ? '' : `:${port}`}${path}?${search}`)
}

/** Defines one test for each builder, over as many requests as `numRuns`, from one seed or from a new one in each run. */
export function compareAnyRequest(runs: { readonly numRuns: number; readonly seed?: number }): void {
  describe('any request', () => {
    it.each(comparisons)('has the $name', ({ of = () => true, ours, theirs }) => {
      fc.assert(
        fc.property(request, parts => {
          fc.pre(of(parts))
          const address = addressOf(parts)
          expect(ours(parts, address)).toBe(theirs(parts, address))
        }),
        { ...runs, maxSkipsPerRun: 1000 },
      )
    })
  })
}

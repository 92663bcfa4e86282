/**
 * Random requests, built by this package, by the naive builder and, where they are right, by two peers.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { comparisons } from './other-builders.js'
import { type RandomRequest, randomRequests } from './random-requests.js'

const seed = 58490341

/** Defines one test for each comparison, over as many requests as `count`. Fewer ones are the first of many. */
export function compareRandomRequests(count: number): void {
  describe(`${count} random requests from seed ${seed}`, () => {
    it.each(comparisons)('have the $name', ({ of = () => true, ours, theirs, share }) => {
      const requests = randomRequests(seed)
      const mismatches: RandomRequest[] = []
      let compared = 0
      for (let made = 0; made < count; made++) {
        const request = requests.next().value as RandomRequest
        if (!of(request)) continue
        compared += 1
        const url = new URL(request.address)
        if (ours(request, url) !== theirs(request, url)) mismatches.push(request)
      }
      expect(mismatches).toEqual([])
      expect(compared).toBeGreaterThanOrEqual(count * share)
    })
  })
}

/** Random requests, 100,000 in CI, built by this package, by the naive builder and, where they are right, by two peers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { comparisons } from './other-builders.js'
import { type RandomRequest, randomRequests } from './random-requests.js'

const seed = 58490341
/** The first 20,000 of them where a developer waits. */
const count = process.env.CI === undefined ? 20_000 : 100_000

describe(`${count} random requests from seed ${seed}`, () => {
  const results = comparisons.map(() => ({ compared: 0, mismatches: [] as RandomRequest[] }))

  beforeAll(() => {
    const requests = randomRequests(seed)
    for (let made = 0; made < count; made++) {
      const request = requests.next().value as RandomRequest
      const url = new URL(request.address)
      for (const [index, { of = () => true, ours, theirs }] of comparisons.entries()) {
        const result = results[index]
        if (result === undefined || !of(request)) continue
        result.compared += 1
        if (ours(request, url) !== theirs(request, url)) result.mismatches.push(request)
      }
    }
  }, 120_000)

  it.each(comparisons.map(({ name, share }, index) => ({ name, share, index })))(
    'have the $name',
    ({ share, index }) => {
      expect(results[index]?.mismatches).toEqual([])
      expect(results[index]?.compared).toBeGreaterThanOrEqual(count * share)
    },
  )
})

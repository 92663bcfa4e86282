/**
 * Random requests, built by this package, by the naive builder and, where they are right, by two peers.
 *
 * @module
 */
import { expect } from 'vitest'
import type { Comparison } from './other-builders.js'
import { type RandomRequest, randomRequests } from './random-requests.js'

const seed = 58490341

/** Expects that both sides make the same of as many requests as `count`. Fewer ones are the first of many. */
export function compareRandomRequests({ of = () => true, ours, theirs, share }: Comparison, count: number): void {
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
}

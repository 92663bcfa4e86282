/** The first of the random requests of `random-requests.soak.test.ts`. */
import { it } from 'vitest'
import { compareRandomRequests } from './compare-random-requests.js'
import { comparisons } from './other-builders.js'

it.each(comparisons)('random requests, as the builders of other people build them: have the $name', comparison =>
  compareRandomRequests(comparison, 300),
)

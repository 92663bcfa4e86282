/** Every kind of request that a random choice of its parts finds, compared with builders of other people. */
import { it } from 'vitest'
import { compareRandomRequests } from './compare-random-requests.js'
import { comparisons } from './other-builders.js'

it.each(comparisons)('20,000 random requests, as the builders of other people build them: have the $name', comparison =>
  compareRandomRequests(comparison, 20_000),
)

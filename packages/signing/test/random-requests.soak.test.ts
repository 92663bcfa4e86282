/** Every kind of request that a random choice of its parts finds, compared with builders of other people. */
import { compareRandomRequests } from './compare-random-requests.js'

compareRandomRequests(100_000)

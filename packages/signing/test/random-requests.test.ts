/** The first of the random requests of `random-requests.soak.test.ts`. */
import { compareRandomRequests } from './compare-random-requests.js'

compareRandomRequests(300)

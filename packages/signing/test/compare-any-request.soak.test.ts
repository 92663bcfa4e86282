/** Builders of other people agree about requests that are chosen anew in every run. */
import { compareAnyRequest } from './compare-any-request.js'

compareAnyRequest({ numRuns: 2000 })

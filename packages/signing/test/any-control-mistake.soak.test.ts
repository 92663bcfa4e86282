/** Every classic mistake in a control value is named, for items chosen anew in every run. */
import { describe } from 'vitest'
import { nameAnyMistake } from './any-control-mistake.js'

describe('explainControl', () => {
  nameAnyMistake({ numRuns: 1000 })
})

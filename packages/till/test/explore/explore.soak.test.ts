/** A scene with more worlds than a daily test has time for. */
import { it } from 'vitest'
import { expectWhole } from './roughly.js'
import { exploreScene } from './scenes.js'

it('a request is sent once, in every world of: a slower process', () => {
  expectWhole(exploreScene('a slower process'), 40_728)
})

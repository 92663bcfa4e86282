/** A scene with more worlds than a daily test has time for. */
import { expect, it } from 'vitest'
import { exploreScene } from './scenes.js'

it('a request is sent once, in every world of: a slower process', () => {
  const { worlds, depth, found } = exploreScene('a slower process')
  expect(found).toBeUndefined()
  expect([worlds, depth]).toEqual([40_728, 40])
})

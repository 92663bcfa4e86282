import { memoryStore } from '@tillkit/protocol'
import { expect, it } from 'vitest'
import { storeConformance } from '../../src/index.js'
import { groundOn, memory, storeOn } from './transactional-store.js'

it('finds nothing wrong with the store in memory', async () => {
  const problems = await storeConformance(() => {
    let back = 0
    return {
      store: memoryStore({ clock: () => Date.now() - back }),
      setClockBack: milliseconds => {
        back += milliseconds
      },
    }
  })
  expect(problems).toEqual([])
})

it('finds nothing wrong with a store that has transactions and loses answers', async () => {
  expect(await storeConformance(() => groundOn(memory(), storeOn))).toEqual([])
})

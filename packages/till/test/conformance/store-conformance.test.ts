import { expect, it } from 'vitest'
import { storeConformance } from '../../src/conformance.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { groundOn, memory, ownTime, storeOn } from './transactional-store.js'

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
  const { clock, pass } = ownTime()
  expect(await storeConformance(() => groundOn(memory(clock), storeOn), { pass })).toEqual([])
})

it('needs rows of the merchant for a store that has transactions', async () => {
  const { rows: _rows, ...ground } = groundOn(memory(), storeOn)
  await expect(storeConformance(() => ground)).rejects.toThrow(TypeError)
})

it('refuses a name that no check has', async () => {
  await expect(storeConformance(() => ({ store: memoryStore() }), { only: ['writes'] })).rejects.toThrow(/"writes"/)
})

import { storeConformance } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { conformanceGround } from './conformance.js'
import { programHere } from './ground.js'
import { createThreads } from './threads.js'

it('a store on a file conforms with seven more processes, and with ten that are killed', async () => {
  const module = await programHere('elsewhere.ts')
  const threads = createThreads()
  onTestFinished(() => threads.end())
  expect(await storeConformance(() => conformanceGround(threads, { module }), { processes: 7, kills: 10 })).toEqual([])
})

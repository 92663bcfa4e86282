import { expect, it, onTestFinished } from 'vitest'
import { storeConformance } from '../../src/conformance.js'
import { conformanceGround } from './conformance.js'
import { programHere } from './ground.js'
import { createThreads } from './threads.js'

it('a store on a file conforms with three more processes, and with five that are killed', async () => {
  const module = await programHere('elsewhere.ts')
  const threads = createThreads()
  onTestFinished(() => threads.end())
  expect(await storeConformance(() => conformanceGround(threads, { module }), { processes: 3, kills: 5 })).toEqual([])
})

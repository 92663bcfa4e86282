import { storeConformance } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { conformanceGround } from './conformance.js'
import { bundle } from './ground.js'

it('conforms with seven more processes, and with ten that are killed', async () => {
  const module = await bundle('elsewhere.ts')
  expect(await storeConformance(() => conformanceGround(module), { processes: 7, kills: 10 })).toEqual([])
}, 240_000)

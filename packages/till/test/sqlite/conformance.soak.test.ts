import { storeConformance } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { conformanceGround, drivers } from './conformance.js'
import { bundle } from './ground.js'

it.each(drivers)(
  'a store on a file by %s conforms with seven more processes and ten that are killed',
  async driver => {
    const module = await bundle('elsewhere.ts')
    expect(await storeConformance(() => conformanceGround(driver, module), { processes: 7, kills: 10 })).toEqual([])
  },
  240_000,
)

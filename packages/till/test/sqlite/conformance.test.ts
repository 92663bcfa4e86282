import { storeChecks, storeConformance } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { conformanceGround, drivers } from './conformance.js'

describe.each(drivers)('a store on a file, by %s', driver => {
  it.each(storeChecks.map(({ name }) => name))('%s', async name => {
    expect(await storeConformance(() => conformanceGround(driver), { only: [name] })).toEqual([])
  })
})

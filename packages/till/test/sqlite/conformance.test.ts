import { storeChecks, storeConformance } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { conformanceGround, driver } from './conformance.js'

describe(`a store on a file, by ${driver.name}`, () => {
  it.each(storeChecks.map(({ name }) => name))('%s', async name => {
    expect(await storeConformance(() => conformanceGround(), { only: [name] })).toEqual([])
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { storeChecks, storeConformance } from '../../src/conformance.js'
import { conformanceGround, driver } from './conformance.js'
import { createThreads } from './threads.js'

/** A few calls at once, and few disturbances: more of them, and other processes, are in conformance.soak.test.ts. */
const options = { concurrency: 4, patience: 100_000 }

describe(`a store on a file, by ${driver.name}`, () => {
  const threads = createThreads()
  afterAll(() => threads.end())

  it.each(storeChecks.map(({ name }) => name))('%s', async name => {
    expect(
      await storeConformance(() => conformanceGround(threads, { mostDisturbed: 4 }), { ...options, only: [name] }),
    ).toEqual([])
  })
})

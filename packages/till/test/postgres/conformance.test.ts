import { describe, expect, it } from 'vitest'
import { storeChecks, storeConformance } from '../../src/conformance.js'
import { conformanceGround, ways } from './support/conformance.js'

/** One store after the other in this process. Lost lines, other processes and other drivers: conformance.soak.test.ts. */
async function quietGround() {
  const { disturb: _, ...ground } = await conformanceGround(ways.pool)
  return ground
}

/** A few calls at once: more of them are in conformance.soak.test.ts. */
const options = { concurrency: 4, patience: 100_000 }

describe('a store on a pool of pg', () => {
  it.each(storeChecks.map(({ name }) => name))('%s', async name => {
    expect(await storeConformance(quietGround, { ...options, only: [name] })).toEqual([])
  })
})

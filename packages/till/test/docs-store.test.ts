import { memoryStore } from '../src/index.js'
import { storeChecks, storeConformance } from '../src/conformance.js'
import { expect, it } from 'vitest'

it('keeps what every store has to keep', async () => {
  const problems = await storeConformance(() => ({ store: memoryStore() })) // fresh ground, for each check
  expect(problems).toEqual([])
  expect(storeChecks.map(({ name }) => name)).toContain('loses no write of many who count on one document')
})

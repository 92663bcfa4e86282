/** A wait whose question the gateway refuses: somebody is told at once, over real HTTP. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ClientWarning } from '../src/index.js'
import { startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

it('warns once that the key is not accepted, and the wait survives it', async () => {
  const question = await watching.sell()
  const warnings: ClientWarning[] = []
  const client = watching.another({ observer: { warning: warning => warnings.push(warning) } })
  const refusal = { httpStatus: 401, errorMessage: 'no' } as const
  watching.answerStatus(refusal, refusal, 'gateway')
  expect(await client.awaitOutcome(question)).toMatchObject({ kind: 'approved', asked: 3 })
  expect(warnings).toMatchObject([{ code: 'WARN_STATUS_REFUSED' }])
  expect(warnings[0]?.message).toMatch(/status.*HTTP 401.*client\.check\(\) says.*The wait for the outcome goes on/s)
})

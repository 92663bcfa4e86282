/**
 * Eight processes on one store: clicks, callbacks, customers who come back and workers race. Then everything is compared with the books of
 * the gateway.
 */
import { it } from 'vitest'
import { postgresEngine, sqliteEngine } from '../../kills/engines.js'
import { expectToldOnce } from '../kills/told-once.js'
import { race } from './race.js'

it.each([
  ['sqlite', sqliteEngine],
  ['postgres', postgresEngine],
] as const)('eight processes on %s charge each payment once, and tell each order once', async (_, open) => {
  const engine = await open()
  try {
    expectToldOnce(await race(engine))
  } finally {
    await engine.end()
  }
})

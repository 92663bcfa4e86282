import { describe, expect, it, onTestFinished } from 'vitest'
import { storeConformance } from '../../src/conformance.js'
import { programOf, removeProgram } from '../bundle.js'
import { conformanceGround, ways } from './support/conformance.js'

describe('a store on PostgreSQL conforms', () => {
  it('with other processes on the same tables', async () => {
    const program = await programOf(new URL('support/elsewhere.ts', import.meta.url))
    onTestFinished(() => removeProgram(program))
    expect(await storeConformance(() => conformanceGround(ways.pool, program), { patience: 60_000 })).toEqual([])
  })

  it.each(['unprepared', 'postgres.js', 'Knex'] as const)('on another way to the server: %s', async name => {
    expect(await storeConformance(() => conformanceGround(ways[name]), { concurrency: 4 })).toEqual([])
  })
})

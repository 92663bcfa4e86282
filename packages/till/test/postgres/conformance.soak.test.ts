import { fileURLToPath } from 'node:url'
import { storeConformance } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { conformanceGround, ways } from './support/conformance.js'

const loader = fileURLToPath(new URL('../../../../scripts/source-loader.js', import.meta.url))
const execArgv = ['--conditions=@tillkit/source', '--import', loader]

describe('a store on PostgreSQL conforms', () => {
  it('with other processes on the same tables', async () => {
    expect(await storeConformance(() => conformanceGround(ways.pool), { execArgv, patience: 60_000 })).toEqual([])
  })

  it.each(['unprepared', 'postgres.js', 'Knex'] as const)('on another way to the server: %s', async name => {
    const ground = async () => {
      const { elsewhere: _, ...own } = await conformanceGround(ways[name])
      return own
    }
    expect(await storeConformance(ground)).toEqual([])
  })
})

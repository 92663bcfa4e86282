import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/postgres.js'
import type { Store, Written } from '../../src/store/store.js'
import { ownServer, type PostgresServer } from '../postgres-server.js'
import { entry, freshGround, type Ground } from './support/ground.js'

let server: PostgresServer
let ground: Ground
beforeAll(async () => {
  server = await ownServer()
  ground = await freshGround({ url: server.url })
})
afterAll(async () => {
  await ground.end()
  await server.stop()
})

interface Tally {
  acknowledged: number
  unknown: number
  refused: number
}

/** Writes the versions of one document, each with one id, repeated until the store knows what became of it. */
async function live(store: Pick<Store, 'read' | 'write'>, key: string, versions: number, tally: Tally): Promise<void> {
  let after: string | undefined
  for (let version = 0; version < versions; version += 1) {
    const id = `${key}-${version}`
    const write = (): Promise<Written> => store.write(key, entry(`{"n":${version}}`, { due: version }), { after, id })
    for (;;) {
      const written = await write().catch((error: Error & { readonly code?: string }) => error.code)
      if (typeof written === 'object') {
        // A conflict here means that an acknowledged write is gone, or that one counted twice.
        expect(written).toMatchObject({ kind: 'written', version: version + 1 })
        tally.acknowledged += 1
        after = id
        break
      }
      if (written === 'ERR_STORE_UNKNOWN') tally.unknown += 1
      else expect(['ERR_STORE_REFUSED', 'ERR_STORE_UNREADABLE']).toContain(written)
      if (written === 'ERR_STORE_REFUSED') tally.refused += 1
      await pause(20)
    }
  }
}

describe('a server that is killed in the middle of writes', () => {
  it('loses nothing that was acknowledged, and counts nothing twice', { timeout: 180_000 }, async () => {
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    const tally: Tally = { acknowledged: 0, unknown: 0, refused: 0 }
    const callers = Array.from({ length: 32 }, async (_, caller) => {
      for (let life = 0; life < 100; life += 1) await live(store, `k-${caller}-${life}`, 3, tally)
    })
    const all = Promise.all(callers)
    for (const share of [0.1, 0.25, 0.4, 0.55, 0.7]) {
      while (tally.acknowledged < share * 9_600) await pause(5)
      await server.kill()
      await server.restart()
    }
    await all
    const { rows } = await ground.admin.query(
      `select count(*)::int as documents, min(version)::int as least, max(version)::int as most from "${ground.schema}".documents`,
    )
    expect(rows).toEqual([{ documents: 3_200, least: 3, most: 3 }])
    expect(tally.acknowledged).toBe(9_600)
    // Otherwise no write was under way at any of the kills, and nothing was tested.
    expect(tally.unknown + tally.refused).toBeGreaterThan(0)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/postgres.js'
import type { Store, Stored } from '../../src/store/store.js'
import { entry, freshGround, type Ground } from './support/ground.js'

let ground: Ground
beforeAll(async () => {
  ground = await freshGround()
})
afterAll(() => ground.end())

/** Adds 1 to the number in a document until `isDone`, merging into whatever is there; at first it takes it for new. */
async function count(
  store: Pick<Store, 'read' | 'write'>,
  key: string,
  by: string,
  isDone: (wins: number) => boolean,
): Promise<void> {
  let wins = 0
  let stored: Stored | undefined
  for (let round = 0; !isDone(wins); round += 1) {
    const number = Number(JSON.parse(stored?.body ?? '0')) + 1
    const id = `${key}-${by}-${round}`
    const written = await store.write(key, entry(String(number)), { after: stored?.writeId, id })
    if (written.kind === 'conflict') stored = written.current
    else {
      stored = { key, version: written.version, writeId: id, body: String(number) }
      wins += 1
    }
  }
}

describe('a document that many write', () => {
  it('serves the writers of one process evenly', async () => {
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    await store.read('even')
    let total = 0
    const wins = Array.from({ length: 8 }, () => 0)
    await Promise.all(
      wins.map((_, writer) =>
        count(store, 'even', String(writer), own => {
          if (own > (wins[writer] ?? 0)) {
            wins[writer] = own
            total += 1
          }
          return total >= 80
        }),
      ),
    )
    expect(Math.max(...wins) - Math.min(...wins)).toBeLessThanOrEqual(2)
    expect((await store.read('even')).stored?.version).toBe(wins.reduce((sum, each) => sum + each, 0))
  })

  it('loses no write of three stores with four writers each', async () => {
    const stores = Array.from({ length: 3 }, () => postgresStore(ground.pool(), { schema: ground.schema }))
    const writers = stores.flatMap((store, of) =>
      Array.from({ length: 4 }, (_, writer) => count(store, 'shared', `${of}.${writer}`, wins => wins >= 5)),
    )
    await Promise.all(writers)
    expect((await stores[0]?.read('shared'))?.stored).toMatchObject({ version: 60, body: '60' })
  })
})

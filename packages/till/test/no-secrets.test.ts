import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../src/sqlite.js'
import type { Store } from '../src/store/store.js'
import { card, controlKey, plant, secretsIn, sendEverything } from './no-secrets.js'
import { directory } from './sqlite/ground.js'

describe('no card data, key or signature is in the bytes of', () => {
  it('a file of SQLite and what stands beside it', async () => {
    const place = directory()
    const store = sqliteStore(join(place, 'shop.db'))
    const secrets = await sendEverything(store as unknown as Store)
    expect((await store.list({ limit: 1 })).total).toBeGreaterThan(10)
    expect(secretsIn(place, secrets)).toEqual([])
    for (const spelled of [card.creditCardNumber, Buffer.from(`x${controlKey}`).toString('base64')]) {
      const before = secretsIn(place, secrets).length
      await plant(store as unknown as Store, spelled)
      expect(secretsIn(place, secrets).length).toBeGreaterThan(before)
    }
    await store.close()
  })
})

import { expect, it } from 'vitest'
import { postgresStore } from '../src/postgres.js'
import type { Store } from '../src/store/store.js'
import { card, plant, secretsIn, sendEverything, spellings, timesIn } from './no-secrets.js'
import { freshGround, serverUrl } from './postgres/support/ground.js'
import { ownServer } from './postgres-server.js'

it('no card data, key or signature is in the bytes of a database of PostgreSQL, its log of writes, and its rows', async () => {
  // The files of the server that DATABASE_URL names may be on another machine.
  const own = process.env.DATABASE_URL ? await ownServer() : undefined
  const { admin, schema, pool, end } = await freshGround({ url: own?.url ?? serverUrl() })
  try {
    const store = postgresStore(pool(), { schema }) as unknown as Store
    const [{ data_directory: place }] = (await admin.query('show data_directory')).rows
    const before = timesIn(place)
    const secrets = await sendEverything(store)
    const rows = async () => JSON.stringify((await admin.query(`select * from "${schema}".documents`)).rows)
    await admin.query('checkpoint')
    expect(secretsIn(place, secrets, before)).toEqual([])
    // A long body is compressed: then only the row shows it.
    const found = (text: string) => secrets.filter(each => spellings(each).some(as => Buffer.from(text).includes(as)))
    expect(found(await rows())).toEqual([])
    await plant(store, card.creditCardNumber)
    await admin.query('checkpoint')
    expect(secretsIn(place, secrets, before).length).toBeGreaterThan(1)
    expect(found(await rows())).toEqual([card.creditCardNumber])
  } finally {
    await end()
    await own?.stop()
  }
})

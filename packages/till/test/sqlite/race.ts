/** Runs in a process of its own: tries to be the first and the second writer of each of some keys, and prints what it won. */
import { sqliteStore } from '@tillkit/till/sqlite'

const [file = '', name = ''] = process.argv.slice(2)
const store = sqliteStore(file, { lockTimeout: 60_000 })
const entry = { body: JSON.stringify({ by: name }), due: null, list: null }
const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`)
const won = await Promise.all(
  keys.map(async key => {
    const first = await store.write(key, entry, { version: 0, id: `${name}-1` })
    const second = await store.write(key, entry, { version: 1, id: `${name}-2` })
    return [first, second].flatMap(({ kind }, version) => (kind === 'written' ? [`${key}@${version + 1}`] : []))
  }),
)
process.stdout.write(JSON.stringify(won.flat()))
await store.close()

/** Runs in a process of its own: tries to be the first writer of some keys, writes after whoever was, and prints what it won. */
import { sqliteStore } from '@tillkit/till/sqlite'

const [file = '', name = ''] = process.argv.slice(2)
const store = sqliteStore(file, { lockTimeout: 60_000 })
const entry = { body: JSON.stringify({ by: name }), due: null, list: null }
const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`)
const won = await Promise.all(
  keys.map(async key => {
    const id = `${key}/${name}/1`
    const first = await store.write(key, entry, { id })
    const after = first.kind === 'written' ? id : first.current?.writeId
    const second = await store.write(key, entry, { after, id: `${key}/${name}/2` })
    return [first, second].flatMap(written => (written.kind === 'written' ? [`${key}@${written.version}`] : []))
  }),
)
process.stdout.write(JSON.stringify(won.flat()))
await store.close()

/** Runs in a process of its own: fills a small disk until a write is refused, makes room, and prints what is there. */
import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteStore } from '@tillkit/till/sqlite'

const [directory = ''] = process.argv.slice(2)
const filler = join(directory, 'filler')
writeFileSync(filler, Buffer.alloc(400_000))
const store = sqliteStore(join(directory, 'shop.db'))
const entry = { body: JSON.stringify('x'.repeat(1_500)), due: null, list: null }
const acknowledged: string[] = []
const refusals: { readonly code: string; readonly message: string }[] = []

const write = (key: string) =>
  store.write(key, entry, { id: 'i' }).then(
    () => acknowledged.push(key),
    ({ code, message }) => refusals.push({ code, message }),
  )
for (let round = 0; refusals.length < 5; round++) {
  await Promise.all(Array.from({ length: 8 }, (_, caller) => write(`${round}-${caller}`)))
}
const lost: string[] = []
for (const key of acknowledged) if ((await store.read(key)).stored?.version !== 1) lost.push(key)
const whileFull = acknowledged.length
const total = (await store.list({ limit: 1 })).total
unlinkSync(filler)
await write('after')
await store.close()
process.stdout.write(JSON.stringify({ whileFull, total, lost, refusals, isBack: acknowledged.includes('after') }))

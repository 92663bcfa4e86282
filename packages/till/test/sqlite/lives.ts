/**
 * Runs in a process of its own until it is killed: sixteen callers each write documents, twice each, and print the key and version
 * of what was acknowledged.
 */
import { sqliteStore } from '@tillkit/till/sqlite'

const [file = '', run = ''] = process.argv.slice(2)
const store = sqliteStore(file)
const body = JSON.stringify('x'.repeat(1_500))

async function live(caller: number): Promise<never> {
  for (let life = 0; ; life++) {
    const key = `${run}/${caller}/${life}`
    for (const [id, after] of [[`${key}#1`], [`${key}#2`, `${key}#1`]] as const) {
      const written = await store.write(key, { body, due: null, list: null }, { after, id })
      if (written.kind === 'written') process.stdout.write(`${key} ${written.version}\n`)
    }
  }
}

for (let caller = 0; caller < 16; caller++) live(caller).catch(error => process.stderr.write(`${error.stack}\n`))

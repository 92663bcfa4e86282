/**
 * Runs in a process of its own, which has the file that it is given open, and another SQLite library loaded: prints what a look at the file
 * comes to, and a read of a store.
 */
import { copyFileSync, openSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sqliteStore, sqliteTables } from '@tillkit/till/sqlite'

const [file = ''] = process.argv.slice(2)
const libsql = createRequire(import.meta.url).resolve('libsql')
const builds = join(dirname(libsql), '..', '@libsql')
const build = readdirSync(builds).find(name => name.startsWith(process.platform)) ?? ''
// By the name of its file it is another library.
const other = `${file}.better_sqlite3.node`
copyFileSync(join(builds, build, 'index.node'), other)
process.dlopen({ exports: {} }, other)
openSync(file, 'r')
const told = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { readonly code: string }) => error.code,
  )
const looked = await told(sqliteTables(file))
// It is not closed, and must not keep the process.
const read = await told(sqliteStore(file).read('k'))
process.stdout.write(JSON.stringify({ looked, read }))

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

/** SQLite, as durable as the till's store, on the main thread: a message to another one is more than the sale needs. */
export function open({ isBatched }) {
  const directory = mkdtempSync(join(tmpdir(), 'tillkit-bench-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const database = new Database(join(directory, 'limit.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('create table documents (key text primary key, body text not null)')
  database.exec('create table orders (id text primary key, state text not null, amount text)')
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const document = database.prepare(
    'insert into documents (key, body) values (?, ?) on conflict (key) do update set body = excluded.body',
  )
  const order = database.prepare("insert into orders (id, state, amount) values (?, 'paid', ?)")
  let statements = 0
  const run = (statement, ...values) => {
    statements += 1
    statement.run(...values)
  }
  let waiting = []

  function flush() {
    const batch = waiting
    waiting = []
    run(begin)
    for (const work of batch) work.run()
    run(commit)
    for (const { isDone } of batch) isDone()
  }
  const inBatch = work => {
    if (waiting.length === 0) setImmediate(flush)
    return new Promise(resolve => waiting.push({ run: work, isDone: resolve }))
  }

  return {
    insertOrder: async () => {},
    async write(key, body) {
      if (isBatched) return inBatch(() => run(document, key, body))
      run(document, key, body)
    },
    async writeWithOrder(key, body, amount) {
      const both = () => {
        run(order, key, amount)
        run(document, key, body)
      }
      if (isBatched) return inBatch(both)
      run(begin)
      both()
      run(commit)
    },
    statements: () => statements,
  }
}

import type { Driver, Row, Value } from './jobs.js'

interface DatabaseSync {
  exec(sql: string): void
  prepare(sql: string): { all(...values: readonly Value[]): Row[] }
  close(): void
}

/** The module `node:sqlite`. Runs in the worker as text: see `LoadDriver`. */
export function nodeSqlite(load: (path: string) => unknown, path: string): Driver {
  const { DatabaseSync } = load(path) as {
    readonly DatabaseSync: new (file: string, options: { readonly readOnly: boolean }) => DatabaseSync
  }
  const mostPrepared = 200

  return {
    open(file, isReadOnly = false) {
      const database = new DatabaseSync(file, { readOnly: isReadOnly })
      const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
      return {
        rows(sql, values) {
          let statement = prepared.get(sql)
          if (statement === undefined) {
            if (prepared.size >= mostPrepared) prepared.clear()
            statement = database.prepare(sql)
            prepared.set(sql, statement)
          }
          return statement.all(...values)
        },
        execute: sql => database.exec(sql),
        close: () => database.close(),
      }
    },
    codeOf(error) {
      const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
      return typeof code === 'number' ? code & 0xff : undefined
    },
  }
}

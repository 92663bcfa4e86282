import type { Driver, Row, Value } from './jobs.js'

interface LibsqlDatabase {
  exec(sql: string): void
  prepare(sql: string): { all(values: readonly Value[]): Row[] }
  close(): void
}

/** The package libsql. Runs in the worker as text: see `LoadDriver`. */
export function libsql(load: (path: string) => unknown, path: string): Driver {
  const LibsqlDatabase = load(path) as new (file: string) => LibsqlDatabase
  const { pathToFileURL } = load('node:url') as { pathToFileURL(file: string): URL }
  const mostPrepared = 200
  const bound = ['string', 'number', 'bigint']

  return {
    open(file, isReadOnly = false) {
      // It takes no notice of an option for this.
      const database = new LibsqlDatabase(isReadOnly ? `${pathToFileURL(file)}?mode=ro` : file)
      const prepared = new Map<string, ReturnType<LibsqlDatabase['prepare']>>()
      return {
        rows(sql, values) {
          // libsql ends the whole process where it is given anything else, such as a boolean.
          for (const value of values) {
            const isBound = value === null || value instanceof Uint8Array || bound.includes(typeof value)
            if (!isBound) throw new TypeError(`A value of the type ${typeof value} cannot be bound.`)
          }
          let statement = prepared.get(sql)
          if (statement === undefined) {
            if (prepared.size >= mostPrepared) prepared.clear()
            statement = database.prepare(sql)
            prepared.set(sql, statement)
          }
          return statement.all(values)
        },
        execute: sql => database.exec(sql),
        close: () => database.close(),
      }
    },
    codeOf(error) {
      if (!(error instanceof Error)) return undefined
      if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff
      // The error of a file that could not be opened has its code in the message only.
      const code = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message)?.[1]
      return code === undefined ? undefined : Number(code) & 0xff
    },
  }
}

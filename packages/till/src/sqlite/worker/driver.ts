/** A value of a statement, of a type that both drivers bind alike. Both bind a number as REAL and a bigint as INTEGER. */
export type Value = string | number | bigint | null | Uint8Array

/** A row as a driver gives it, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** A connection to one file. Everything is synchronous: it lives in the worker thread. */
export interface Database {
  /** Runs a statement to its end and gives its rows; none for one that returns nothing. */
  rows(sql: string, values: readonly Value[]): readonly Row[]
  /** Runs a statement that takes no value and gives no row, such as `BEGIN`. */
  execute(sql: string): void
  close(): void
}

/** A way to SQLite. */
export interface Driver {
  /** @param file An absolute path. @param isReadOnly Then the file has to be there, and stays as it is. */
  open(file: string, isReadOnly?: boolean): Database
  /** SQLite's primary result code, such as 5 for SQLITE_BUSY; undefined for an error that is not SQLite's. */
  codeOf(error: unknown): number | undefined
}

/**
 * Loads a driver. It runs in the worker as text, so it uses nothing but its parameters and what the language has.
 *
 * @param load Node.js's `require`.
 * @param path What `load` is given: the name of a module of Node.js, or the absolute path of a package.
 */
export type LoadDriver = (load: (path: string) => unknown, path: string) => Driver

/** Which driver, and what `require` in the worker is given for it. */
export interface FoundDriver {
  readonly name: 'node:sqlite' | 'libsql'
  readonly path: string
}

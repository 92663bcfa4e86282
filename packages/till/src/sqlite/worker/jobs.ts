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

/** One statement of a job. */
export interface Step {
  readonly sql: string
  readonly values: readonly Value[]
  /** It runs only where the step before gave no row. */
  readonly otherwise?: boolean
  /** Everything the job did is undone if this gives no row. */
  readonly must?: boolean
  /** It is a statement of the merchant's handler. */
  readonly ofHandler?: boolean
}

/**
 * The work that the worker does for one call.
 *
 * `inspect`: reads whose tables may be missing. `create`: makes them, in a transaction of its own. `read`: reads of one state of
 * the file. `write`: shares its transaction with other writes. `alone`: has its transaction for itself.
 */
export interface Job {
  readonly id: number
  readonly kind: 'inspect' | 'create' | 'read' | 'write' | 'alone'
  readonly steps: readonly Step[]
}

/** A message that the main thread posts. */
export type Request =
  /** `now` is the clock of the main thread, in milliseconds since the epoch. */
  { readonly kind: 'work'; readonly now: number; readonly jobs: readonly Job[] } | { readonly kind: 'close' }

/** Why a job failed. */
export interface Failure {
  readonly where: 'open' | 'begin' | 'step' | 'commit'
  /** SQLite's primary result code, where the error is SQLite's. */
  readonly code: number | undefined
  readonly message: string
  /** Whether something of it may have been written nevertheless. */
  readonly isUnknown: boolean
  /** The statement that failed, where it is one of the merchant's handler. */
  readonly statement?: string
}

/** The worker's reply about a job. `at` is the clock of the file, in milliseconds since the epoch. */
export type Reply =
  | {
      readonly kind: 'done'
      readonly id: number
      readonly at: number
      /** Rows of each step; undefined for one that was left out. */
      readonly rows: readonly (readonly Row[] | undefined)[]
    }
  | { readonly kind: 'undone'; readonly id: number; readonly at: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }

/** The settings that a worker is started with. */
export interface WorkerSettings {
  readonly file: string
  readonly driver: FoundDriver
  readonly isReadOnly?: boolean
  /** Run on each connection, in this order. */
  readonly pragmas: readonly string[]
  /** How long opening is tried again while another process holds the file, in milliseconds. */
  readonly lockTimeout: number
  /** Moves the clock of the file on to the value and gives it as `at`. */
  readonly moveClock: string
  /** Gives the clock of the file as `at`. */
  readonly readClock: string
}

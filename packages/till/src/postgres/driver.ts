/** A row as drivers give it: by the names of its columns. */
export type PostgresRow = Readonly<Record<string, unknown>>

/**
 * Runs one statement. Parameters are `$1`, `$2`, …; those of the store itself are texts, cast in the statement, so that no
 * driver has to guess a type.
 */
export type PostgresQuery = (text: string, parameters: readonly unknown[]) => Promise<readonly PostgresRow[]>

/**
 * The store needs two functions of a driver. Errors of the server have to carry their SQLSTATE as `code`, on themselves
 * or on their `cause`, as those of pg, postgres.js, Knex and Drizzle do.
 *
 * With postgres.js up to 3.4.9, as here, a connection that is lost may end the process: it writes to the line that is gone, outside
 * of every promise. Prefer a pool of `pg` until that is mended.
 *
 * @example
 * ```ts
 * import postgres from 'postgres'
 *
 * const sql = postgres({ fetch_types: false })
 * const driver: PostgresDriver<postgres.TransactionSql> = {
 *   query: (text, parameters) => sql.unsafe(text, parameters as string[]),
 *   async transaction(work) {
 *     const results: Awaited<ReturnType<typeof work>>[] = []
 *     await sql.begin('isolation level read committed', async client => {
 *       results.push(await work((text, parameters) => client.unsafe(text, parameters as string[]), client))
 *     })
 *     return results[0]!
 *   },
 * }
 * ```
 */
export interface PostgresDriver<Client = unknown> {
  /** Runs one statement on any connection. */
  readonly query: PostgresQuery
  /**
   * Runs `work` in a transaction with the isolation level READ COMMITTED, on one connection: COMMIT once it resolves, ROLLBACK
   * if it rejects, with its error. Resolves after COMMIT was answered. `client` is what the merchant's handler gets.
   */
  transaction<Result>(work: (query: PostgresQuery, client: Client) => Promise<Result>): Promise<Result>
}

/** The answer of `pg` to a statement, as far as the store uses it. */
export interface PostgresResult {
  readonly rows: readonly PostgresRow[]
}

/** A connection of a pool of `pg`, as far as the store uses it. */
export interface PostgresClient {
  /** @returns A result for each statement of a text that has several. */
  query(statement: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<PostgresResult | readonly PostgresResult[]>
  release(destroy?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notice', listener: (notice: { readonly routine?: string | undefined }) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'notice', listener: (notice: { readonly routine?: string | undefined }) => void): unknown
}

/** A `Pool` of `pg`, as far as the store uses it. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  connect(): Promise<Client>
  // The second way to call it is here because TypeScript infers `Client` from the last one.
  connect(
    callback: (error: Error | undefined, client: Client | undefined, done: (release?: unknown) => void) => void,
  ): void
  readonly options: { readonly max?: number | undefined }
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** A transaction that has begun. */
export interface Transaction<Client> {
  readonly row: PostgresRow | undefined
  readonly query: PostgresQuery
  readonly own: PostgresQuery
  readonly client: Client
}

/** The store works on these: a pool or a driver, with what is known about each. */
export interface Connections<Client> {
  /** Runs one statement that only reads. */
  readonly read: PostgresQuery
  /** Runs one statement in a transaction of its own; it is committed once this resolves. */
  readonly write: PostgresQuery
  /**
   * As {@link PostgresDriver}. `first` is its first statement, without parameters; `work` gets its row.
   * An error of `work` is passed on as it is. `own` runs a statement of the store itself, which a pool prepares once on each connection.
   */
  transaction<Result>(first: string, work: (begun: Transaction<Client>) => Promise<Result>): Promise<Result>
  /** How many connections there are at most. */
  readonly most: number
  /** Ends what was begun for the store; the pool stays open. */
  close(): void
}

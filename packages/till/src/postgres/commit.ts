/**
 * A merchant's work and a document, in one transaction.
 *
 * @module
 */
import { quote } from '@tillkit/protocol'
import { checkWrite, type Entry, type Store, type Stored, StoreError, type Written } from '../store/store.js'
import type { Connections, PostgresQuery, PostgresRow } from './driver.js'
import { isRefusedByServer, nothingHappened, saidBy, writeError } from './errors.js'
import { type SeenClock, storedIn } from './rows.js'
import type { Statements } from './statements.js'
import { parameterOf } from './write-queue.js'

/** A handler writes its own rows with this, in the transaction that says that it was told. */
export interface PostgresTransaction<Client = unknown> {
  /**
   * Runs one statement. Values become parameters, never part of the text.
   *
   * @example
   * ```ts
   * await transaction.run`update orders set state = ${payment.state} where id = ${payment.reference}`
   * ```
   * @returns The rows, by the names of their columns.
   */
  run(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /**
   * The same for a statement that a query builder made: its text with `$1`, `$2`, …, and the values.
   *
   * @example
   * ```ts
   * await transaction.run(kysely.updateTable('orders').set({ state }).where('id', '=', 7).compile())
   * ```
   */
  run(query: { readonly sql: string; readonly parameters: readonly unknown[] }): Promise<readonly PostgresRow[]>
  /** The connection that the transaction is on: a client of `pg`, or what the driver gives. Never end the transaction on it. */
  readonly client: Client
}

/** The parts of the store that {@link commitWith} works on. */
export interface CommitOptions<Client> {
  readonly connections: Connections<Client>
  readonly statements: Statements
  readonly clock: SeenClock
  /** How many handlers have a connection at once. */
  readonly handlers: number
}

type Commit<Client> = NonNullable<Store<PostgresTransaction<Client>>['commit']>

/** Makes `commit` of a store. */
export function commitWith<Client>(options: CommitOptions<Client>): Commit<Client> {
  const { connections, statements, clock } = options
  const inTurn = atMost(options.handlers)

  return (key, work, finish, known) =>
    inTurn(async () => {
      const progress: { stage: Stage } = { stage: 'store' }
      const finished = (current: Stored | undefined): Entry | undefined => {
        progress.stage = 'merchant'
        const entry = finish(current)
        progress.stage = 'store'
        return entry
      }
      try {
        return await connections.transaction(statements.mark, async ({ row: begun, query, own, client }) => {
          const id = String(begun?.id)
          /** @returns Undefined where the document is not as that write left it. */
          const write = async (entry: Entry, after: string | undefined): Promise<Written | undefined> => {
            checkWrite(key, entry, { after, id })
            const [row] = await own(statements.writeMarked, [parameterOf([{ key, entry, after, id }]), id])
            if (row === undefined) throw endedByHandler(key)
            if (row.became !== 'written') return undefined
            progress.stage = 'commit'
            return { kind: 'written', version: Number(row.version), at: clock.see(row.at) }
          }
          progress.stage = 'merchant'
          await runWork(work, query, client)
          progress.stage = 'store'
          const expected = known === undefined ? undefined : finished(known)
          const written = expected === undefined ? undefined : await write(expected, known?.writeId)
          if (written !== undefined) return written
          for (let tries = 1; tries <= mostTries; tries += 1) {
            const [row] = await own(statements.lock, [key])
            if (row?.id !== id) throw endedByHandler(key)
            const current = storedIn(row)
            const at = clock.see(row.at)
            const entry = finished(current)
            if (entry === undefined) throw new Undone({ kind: 'conflict', current, at })
            const written = await write(entry, current?.writeId)
            if (written !== undefined) return written
          }
          throw new Error('The document was created by others, and was never found.')
        })
      } catch (error) {
        if (error instanceof Undone) return error.written
        // An error that the merchant's own code threw is passed on as it is. Everything is rolled back by then.
        if (progress.stage === 'merchant') throw error
        throw failure(key, progress.stage, error)
      }
    })
}

/** The step that failed: the merchant's, the store's, or `commit` from the moment when COMMIT may have been sent. */
type Stage = 'merchant' | 'store' | 'commit'

/** Another transaction may create the row between the look and the write. */
const mostTries = 20

async function runWork<Client>(
  work: Parameters<Commit<Client>>[1],
  query: PostgresQuery,
  client: Client,
): Promise<void> {
  let isOver = false
  const run = async (text: TemplateStringsArray | Query, ...values: readonly unknown[]) => {
    const { sql, parameters } = queryOf(text, values)
    if (isOver) throw new Error('The handler is over, and so is its transaction: await every statement in the handler.')
    try {
      return await query(sql, parameters)
    } catch (error) {
      if (error instanceof Error && isRefusedByServer(error)) nameStatement(error, sql)
      throw error
    }
  }
  try {
    await work({ run, client })
  } finally {
    isOver = true
  }
}

type Query = Parameters<PostgresTransaction['run']>[0]

/** A text alone is refused: values would have been spliced into it. */
function queryOf(text: TemplateStringsArray | Query, values: readonly unknown[]): Query {
  if (Array.isArray((text as Partial<TemplateStringsArray> | undefined)?.raw)) {
    const parts = text as TemplateStringsArray
    return { sql: parts.reduce((whole, part, index) => `${whole}$${index}${part}`), parameters: values }
  }
  const { sql, parameters } = Object(text)
  if (typeof sql === 'string' && Array.isArray(parameters)) return { sql, parameters }
  throw new TypeError(
    'Write the statement as a template: run`select now()`. In brackets it takes what a query builder made: { sql, parameters }.',
  )
}

/** Says in an error which statement it is about. It stays the driver's own: a handler may look at its class and its code. */
function nameStatement(error: Error, statement: string): void {
  const { message, stack } = error
  const named = `${message}, in this statement of your handler: ${quote(statement.replace(/\s+/g, ' ').trim())}`
  Reflect.set(error, 'message', named)
  // The stack repeats the message before the place where the error was thrown: the message is replaced there as well.
  Reflect.set(
    error,
    'stack',
    stack?.replace(message, () => named),
  )
}

/** Thrown to roll back: `finish` wants nothing written. */
class Undone extends Error {
  constructor(readonly written: Written) {
    super('Nothing is to be written.')
  }
}

const endedByHandler = (key: string): StoreError =>
  new StoreError(
    'ERR_STORE_REFUSED',
    `The handler for ${JSON.stringify(key)} ended the transaction itself, by COMMIT or ROLLBACK. ` +
      'Its rows are as it left them; the document was not written, so it will be told again. ' +
      'Leave the transaction open.',
  )

function failure(key: string, stage: Stage, error: unknown): StoreError {
  const what = `Committing ${JSON.stringify(key)} with the handler's rows`
  if (stage === 'commit' || error instanceof StoreError || nothingHappened(error)) {
    return writeError(what, error, 'Read the document to learn which.')
  }
  // COMMIT was never sent: the server rolls back what it was in the middle of.
  const message = `${what} failed; nothing was written. The connection: ${saidBy(error)}`
  return new StoreError('ERR_STORE_REFUSED', message, { cause: error })
}

/** Lets so many run at once; the others wait in line. */
function atMost(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

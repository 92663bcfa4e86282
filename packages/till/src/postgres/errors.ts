/**
 * An error of a driver proves that nothing happened, or it proves nothing. This module tells which.
 *
 * @module
 */
import { StoreError } from '../store/store.js'

/** No byte of the statement was sent: there was no connection. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** There was no answer in time. The connection is given up. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * The SQLSTATE of an error of the server, or of its cause; undefined where the server said nothing. `EPIPE` has five letters as
 * well, and Prisma's `P2010` five characters: neither is one.
 */
export function sqlState(error: unknown): string | undefined {
  const codes = chainOf(error).map(each => Reflect.get(each, 'code'))
  return codes.find(code => typeof code === 'string' && /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code))
}

/** An error and its causes, as many as are looked at. */
const chainOf = (error: unknown, most = 5): readonly Error[] =>
  error instanceof Error && most > 0 ? [error, ...chainOf(error.cause, most - 1)] : []

/**
 * Whether an error proves that a statement that was a transaction of its own did nothing. Only the server can say so, in a
 * session that goes on; or the statement never left.
 */
export function nothingHappened(error: unknown): boolean {
  if (error instanceof NotSent) return true
  const state = sqlState(error)
  if (state === undefined) return isFailedConnect(error)
  if (atConnecting.test(state)) return true
  return !endsSession(error)
}

/** Whether the server refused a statement, and the next one may do better. */
export const isRefusedByServer = (error: unknown): boolean =>
  sqlState(error) !== undefined && nothingHappened(error) && !(error instanceof NotSent)

/** Serialization failure and deadlock: the same again may succeed. */
export const isWorthRepeating = (error: unknown): boolean => /^(?:40001|40P01)$/.test(sqlState(error) ?? '')

/** The server takes no session at all: still starting, too many of them, wrong password, no such database. */
const atConnecting = /^(?:57P03|53300|28...|3D000)$/

/**
 * Connection exceptions, "completion unknown", and a session that is ended: the server was told to end it while it may have
 * been waiting for a standby, with the transaction committed.
 */
const afterWhichUnknown = /^(?:08...|40003|25P0[34]|57P0[1245])$/

/** Whether the server ended the session with this error, or there was no answer at all. */
export function endsSession(error: unknown): boolean {
  if (error instanceof NoAnswer || afterWhichUnknown.test(sqlState(error) ?? '')) return true
  return chainOf(error).some(each => /^(?:FATAL|PANIC)$/.test(String(Reflect.get(each, 'severity'))))
}

/** Node.js names the call that failed; after `connect` nothing was sent. */
function isFailedConnect(error: unknown): boolean {
  return error instanceof Error && /^(?:connect|getaddrinfo)$/.test(String(Reflect.get(error, 'syscall')))
}

/**
 * An error of something that writes.
 *
 * @param what Such as `Writing "order-1"`.
 * @param cure What to do if it is unknown.
 * @param rights What to grant if the role lacks a right.
 */
export function writeError(what: string, error: unknown, cure: string, rights = storeRights): StoreError {
  if (error instanceof StoreError) return error
  const schema = schemaError(error)
  if (schema !== undefined) return schema
  const said = saidBy(error, rights)
  if (nothingHappened(error)) {
    return new StoreError('ERR_STORE_REFUSED', `${what} failed; nothing was written. PostgreSQL: ${said}`, {
      cause: error,
    })
  }
  const unknown = `${what} got no answer; it may have happened, now or a moment later. ${cure} The connection: ${said}`
  return new StoreError('ERR_STORE_UNKNOWN', unknown, { cause: error })
}

/** An error of something that only reads. */
export function readError(what: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const said = saidBy(error)
  const unreadable = () =>
    new StoreError('ERR_STORE_UNREADABLE', `${what} failed. PostgreSQL: ${said}`, { cause: error })
  return schemaError(error) ?? unreadable()
}

/** Tables that are gone after the store had seen them. */
function schemaError(error: unknown): StoreError | undefined {
  if (!isMissingTable(error)) return undefined
  const message =
    "The store's tables are missing or altered: " +
    `${textOf(error)} Run migrate(pool) of @tillkit/till/postgres, with the schema that the store has.`
  return new StoreError('ERR_STORE_SCHEMA', message, { cause: error })
}

/** No such table, column or schema. */
export const isMissingTable = (error: unknown): boolean => /^(?:42P01|42703|3F000)$/.test(sqlState(error) ?? '')

/** An error in words, with what to do about it. */
export const saidBy = (error: unknown, rights = storeRights): string =>
  `${textOf(error)} ${sqlState(error) === '42501' ? rights : hintFor(error)}`.trim()

const storeRights = 'Grant the role usage on the schema, and select, insert and update on its tables.'

/** The first words of an error, as a sentence. The server's message names columns and limits, never a body. */
function textOf(error: unknown): string {
  const messages = chainOf(error, 3).map(
    each => each.message.slice(0, 200) || String(Reflect.get(each, 'code') ?? each.name),
  )
  return `${messages.join(': ') || 'no reason given'}.`.replace(/\.\.$/, '.')
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'This server is a read-only standby: connect to the primary.'],
  [/^53100$/, 'The disk of the server is full.'],
  [/^53300$/, 'Too many connections: lower the max of the pools, or raise max_connections.'],
  [
    /^(?:42P05|26000)$/,
    'A pooler such as PgBouncer gave the session to another client: ' +
      'pass "prepared: false" to postgresStore, or turn on max_prepared_statements of PgBouncer.',
  ],
  [
    /^25P0[34]$/,
    'The handler took longer than idle_in_transaction_session_timeout or transaction_timeout allows: ' +
      'let it do slow work outside, or raise the limit for this role.',
  ],
  [/^57P01$/, 'The server was shut down, or a person ended the session.'],
  [/^(?:57014|55P03)$/, 'A timeout of the server or the role ended it; another transaction may hold the row.'],
  [/^40(?:001|P01)$/, 'It was tried several times: something else locks rows of the store in long transactions.'],
  [/^22(?:P05|021)$/, 'The database must have the encoding UTF8.'],
  [/^25P02$/, 'A statement of the handler failed before, and the handler went on: let its error through.'],
  [/^28...$/, 'Check the name, the password and pg_hba.conf.'],
]

function hintFor(error: unknown): string {
  const state = sqlState(error)
  if (state === undefined) {
    return error instanceof NotSent || isFailedConnect(error) ? 'Is the server up, and the pool large enough?' : ''
  }
  return hints.find(([pattern]) => pattern.test(state))?.[1] ?? `SQLSTATE ${state}.`
}

/**
 * Waits for an answer, but not for ever: a server behind a dead line says nothing.
 *
 * @param milliseconds From 1 to 2147483647.
 * @param late Called with a value that comes after the deadline, to put it away.
 */
export async function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  late: (value: Value) => void = () => {},
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const noAnswer = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      promise.then(late, () => {})
      const who = 'the server, or a standby that it waits for, may be away'
      reject(new NoAnswer(`There was no answer within ${milliseconds} ms: ${who}.`))
    }, milliseconds)
  })
  return Promise.race([promise, noAnswer]).finally(() => clearTimeout(timer))
}

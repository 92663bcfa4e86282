/**
 * A pool or a driver as the store uses it.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { Connections, PostgresClient, PostgresDriver, PostgresPool, PostgresQuery, PostgresRow } from './driver.js'
import { endsSession, NoAnswer, NotSent, sqlState, within } from './errors.js'
import { durable } from './statements.js'

/**
 * The function of the server that waits until a standby has a commit. Where that is cancelled it warns, and then answers as if all
 * were well: after a failover the commit may be gone.
 */
const waitForStandby = 'SyncRepWaitForLSN'

/** A commit with something to write, which waits for the standby until that has all before it as well. */
const waitAgain = `select pg_logical_emit_message(true, 'tillkit', ''), ${durable}`

interface ConnectionOptions {
  /** Whether statements are prepared once on each connection. */
  readonly prepared: boolean
  /** How long an answer is waited for, in milliseconds. */
  readonly timeout: number
}

/** A pool of `pg`. One statement is a transaction of its own: `pg` resolves when the server is ready again, after the commit. */
export function poolConnections<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  { prepared, timeout }: ConnectionOptions,
): Connections<Client> {
  const nameOf = nameStatements()
  // The pool has dropped the idle connection by then, and opens another one. Without a listener the process would end.
  const onIdleError = () => {}
  pool.on('error', onIdleError)

  type Ask = (statement: Parameters<Client['query']>[0]) => Promise<readonly PostgresRow[]>
  interface Session {
    readonly ask: Ask
    readonly client: Client
    readonly giveUp: () => void
    /** Resolves once a standby has what was committed, if the server was to wait for that. */
    readonly untilKept: () => Promise<void>
  }
  type Work<Result> = (session: Session) => Promise<Result>

  async function withClient<Result>(work: Work<Result>): Promise<Result> {
    let isLost = false
    let reason: Error | undefined
    const lose = (error?: Error) => {
      isLost = true
      reason ??= error
    }
    let isCancelled = false
    const hear = ({ routine }: { readonly routine?: string | undefined }) => {
      isCancelled ||= routine === waitForStandby
    }
    const putBack = (client: Client) => {
      client.release(isLost)
      client.removeListener('error', lose)
      client.removeListener('notice', hear)
    }
    // A connection that is lost between two statements says so by an event only. The end may stand in the very bytes that made the
    // connection ready: a listener that is added once a promise has resolved comes too late for it.
    const connected = new Promise<Client>((resolve, reject) => {
      pool.connect((error, client) => {
        if (client === undefined) return reject(error)
        client.on('error', lose)
        client.on('notice', hear)
        resolve(client)
      })
    })
    const client = await within(connected, timeout, putBack).catch((error: unknown) => {
      throw new NotSent('There was no connection', { cause: error })
    })
    const ask: Ask = async statement => {
      try {
        const result = await client.query(statement)
        return 'rows' in result ? result.rows : (result.at(-1)?.rows ?? [])
      } catch (error) {
        nameReason(error, reason)
        throw error
      }
    }
    const again = async () => {
      while (isCancelled) {
        isCancelled = false
        await ask({ text: waitAgain })
      }
    }
    const untilKept = () =>
      within(again(), timeout).catch((cause: unknown) => {
        throw new NoAnswer('It is committed here, and whether a standby has it is not known.', { cause })
      })
    try {
      return await work({ ask, client, giveUp: lose, untilKept })
    } catch (error) {
      if (endsSession(error)) lose()
      throw error
    } finally {
      putBack(client)
    }
  }

  const ownStatement = (text: string, parameters: readonly unknown[]) => {
    const values = [...parameters]
    return prepared ? { name: nameOf(text), text, values } : { text, values }
  }

  const run: PostgresQuery = (text, parameters) =>
    withClient(async ({ ask, untilKept }) => {
      const rows = await within(ask(ownStatement(text, parameters)), timeout)
      await untilKept()
      return rows
    })

  return {
    most: pool.options.max ?? 10,
    read: run,
    write: run,
    transaction: (first, work) =>
      withClient(async ({ ask, client, giveUp, untilKept }) => {
        const step = (text: string) => within(ask({ text }), timeout)
        try {
          const [row] = await step(`begin isolation level read committed; ${first}`)
          const query: PostgresQuery = (text, values) => ask({ text, values: [...values] })
          const own: PostgresQuery = (text, values) => within(ask(ownStatement(text, values)), timeout)
          const result = await work({ row, query, own, client })
          await step('commit')
          await untilKept()
          return result
        } catch (error) {
          // The connection is closed if it cannot roll back, and then the server rolls back by itself.
          if (endsSession(error)) giveUp()
          else await step('rollback').catch(giveUp)
          throw error
        }
      }),
    close: () => {
      pool.removeListener('error', onIdleError)
    },
  }
}

/**
 * A driver of two functions. What writes runs in its `transaction`: that a single statement is committed once `query` resolves
 * is not promised by every driver.
 */
export function driverConnections<Client>(
  driver: PostgresDriver<Client>,
  { timeout }: ConnectionOptions,
): Connections<Client> {
  return {
    most: 10,
    read: async (text, parameters) => rowsIn(await within(driver.query(text, parameters), timeout)),
    write: async (text, parameters) => {
      let isBegun = false
      let isOver = false
      const written = driver.transaction(query => {
        if (isOver) throw new NoAnswer('The connection came too late.')
        isBegun = true
        return query(text, parameters)
      })
      try {
        return rowsIn(await within(written, timeout))
      } catch (error) {
        isOver = true
        throw isBegun ? error : new NotSent('There was no transaction', { cause: error })
      }
    },
    transaction: (first, work) =>
      driver.transaction(async (query, client) => {
        const own: PostgresQuery = (text, parameters) => within(query(text, parameters), timeout)
        const [row] = await own(first, [])
        return work({ row, query, own, client })
      }),
    close: () => {},
  }
}

/** The server says why it ends a session by an event; `pg` then refuses the next statement without that reason. */
function nameReason(error: unknown, reason: Error | undefined): void {
  const isNews = reason !== undefined && sqlState(reason) !== undefined && sqlState(error) === undefined
  if (isNews && error instanceof Error) error.cause ??= reason
}

/** A driver that gives the whole result in place of its rows would be misread. */
function rowsIn(result: readonly PostgresRow[]): readonly PostgresRow[] {
  if (Array.isArray(result)) return result
  throw new TypeError('"query" of the driver must give an array of rows, and gave something else.')
}

/** A name for each text: two releases of this package, with other texts, may share one pool. */
function nameStatements(): (text: string) => string {
  const names = new Map<string, string>()
  return text => {
    const name = names.get(text) ?? `tillkit_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    names.set(text, name)
    return name
  }
}

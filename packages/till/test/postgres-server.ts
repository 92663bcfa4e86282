/**
 * A real PostgreSQL for tests: the one that `DATABASE_URL` names, or one of its own from the system's binaries,
 * or from those that scripts/test-tools.js fetched.
 *
 * @module
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../express-middleware/test/listening.js'
import { copyNewData, serverPlace } from './postgres-files.js'
import { startServer, urlOf } from './postgres-process.js'

/** A server, and what a test does to it. */
export interface PostgresServer {
  readonly url: string
  /** Kills every process of it, as a power cut would. Not for one that `DATABASE_URL` names. */
  kill(): Promise<void>
  /** Starts it again after {@link kill}, on the same data and port. */
  restart(): Promise<void>
  /** Stops it and removes its data; leaves the server of `DATABASE_URL` alone. */
  stop(): Promise<void>
}

/** The server of `DATABASE_URL`, or else one of its own. */
export async function testServer(): Promise<PostgresServer> {
  const url = process.env.DATABASE_URL
  if (url === undefined || url === '') return ownServer()
  const notOurs = () => Promise.reject(new Error('The server of DATABASE_URL is not killed by tests.'))
  return { url, kill: notOurs, restart: notOurs, stop: async () => {} }
}

/**
 * Starts a server in a temporary directory, on a free port of this machine.
 *
 * @param settings Such as `synchronous_commit=off`.
 */
export async function ownServer(settings: readonly string[] = []): Promise<PostgresServer> {
  const place = serverPlace()
  const { directory } = place
  const data = join(directory, 'data')
  copyNewData(place, data)
  const port = await freePort()
  const url = urlOf(port)
  const always = [`unix_socket_directories=${directory}`, 'fsync=on']
  const start = () => startServer(place, { data, port, settings: [...always, ...settings] })
  let server = await start()
  return {
    url,
    kill: () => server.end('SIGKILL'),
    restart: async () => {
      server = await start()
    },
    stop: async () => {
      await untilClientsHaveLeft(url)
      await server.end('SIGINT')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A pool that was ended still says good-bye. If it hears of the shutdown first, its error has no listener any more. */
async function untilClientsHaveLeft(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  const others = "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
  try {
    await client.connect()
    // It waits for two seconds at most: a test may have left a client open.
    for (let looks = 0; looks < 100 && ((await client.query(others)).rowCount ?? 0) > 0; looks += 1) await pause(20)
    await client.end()
  } catch {
    // It was killed, or it is stopped already.
  }
}

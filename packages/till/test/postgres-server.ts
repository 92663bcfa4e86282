/**
 * A real PostgreSQL for tests: the one that `DATABASE_URL` names, or one of its own from the system's binaries,
 * or from those that scripts/test-tools.js fetched.
 *
 * @module
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../express-middleware/test/listening.js'

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
  const user = serverUser()
  const directory = mkdtempSync(join(tmpdir(), 'till-postgres-'))
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const binaries = reachable(installedBinaries(), { user, directory })
  const data = join(directory, 'data')
  copyNewData(join(binaries, 'initdb'), data, user)
  const port = await freePort()
  const always = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    'max_connections=200',
    'fsync=on',
  ]
  const flags = [...always, ...settings].flatMap(each => ['-c', each])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`

  const start = async (): Promise<ChildProcess> => {
    const child = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...user,
      cwd: directory,
      stdio: 'ignore',
    })
    await untilItAnswers(url, child)
    return child
  }
  let server = await start()
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    const ended = new Promise(resolve => server.once('exit', resolve))
    if (server.exitCode !== null || server.signalCode !== null) return
    // Its children outlive a killed server, for as long as they take to notice; a power cut ends them as well.
    const children = signal === 'SIGKILL' ? childrenOf(server.pid) : []
    server.kill(signal)
    for (const child of children) killIfThere(child)
    await ended
  }
  return {
    url,
    kill: () => end('SIGKILL'),
    restart: async () => {
      server = await start()
    },
    stop: async () => {
      await untilClientsHaveLeft(url)
      await end('SIGINT')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Puts the data of a new server where it says: a copy of what `initdb` made once for each version, since it takes more than a CPU second.
 * The copy is made by this process, and is given to the user of the server.
 */
function copyNewData(initdb: string, data: string, user: ReturnType<typeof serverUser>): void {
  const surroundings = { ...user, cwd: dirname(data) }
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  const version = execFileSync(initdb, ['--version'], { ...surroundings, encoding: 'utf8' })
  const digest = createHash('sha256')
    .update([version, ...options].join(' '))
    .digest('hex')
    .slice(0, 16)
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/test-tools', import.meta.url))
  const kept = join(cache, `postgres-data-${digest}`)
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true })
    // A server starts on data that its user alone can read. Node.js 24 gives copied folders another mode.
    chmodSync(data, 0o700)
    if (user === undefined) return
    const inside = readdirSync(data, { recursive: true }).map(name => join(data, String(name)))
    for (const path of [data, ...inside]) chownSync(path, user.uid, user.gid)
    return
  }
  execFileSync(initdb, ['-D', data, ...options], { ...surroundings, stdio: 'pipe' })
  mkdirSync(cache, { recursive: true })
  // Another run may do the same: the first one to rename its copy wins, and no run sees half of one.
  const own = mkdtempSync(`${kept}-`)
  cpSync(data, own, { recursive: true })
  try {
    renameSync(own, kept)
  } catch {
    rmSync(own, { recursive: true })
  }
}

/** The newest version that Debian's packages installed, or the one on the path. */
function installedBinaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const places = [...versions.map(version => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)]
  const fetched = fileURLToPath(
    new URL('../../../node_modules/.cache/test-tools/postgres-pinned/native/bin', import.meta.url),
  )
  const found = [...places, fetched].find(place => place !== '' && existsSync(join(place, 'initdb')))
  if (found !== undefined) return found
  throw new Error(
    'These tests need a real PostgreSQL, and there is none: "npm test" fetches one. Or name one in DATABASE_URL: postgres://user:password@host/database.',
  )
}

/** The other user cannot look into the home of root: then a copy is run, of the version with its libraries. */
function reachable(
  binaries: string,
  { user, directory }: { readonly user: ReturnType<typeof serverUser>; readonly directory: string },
): string {
  const { status } = spawnSync(join(binaries, 'initdb'), ['--version'], { ...user, cwd: directory })
  if (status === 0 || user === undefined) return binaries
  const copy = join(directory, 'postgres')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

/** PostgreSQL refuses to run as root: then it runs as another user. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].map(name => lines.find(each => each.startsWith(`${name}:`))).find(Boolean)
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start, with ${server.exitCode}.`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch {
      await pause(50)
    }
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

/** The processes that a process has started. Linux says it in a file; other systems have a command. */
function childrenOf(parent: number | undefined): readonly number[] {
  const file = `/proc/${parent}/task/${parent}/children`
  const list = existsSync(file)
    ? readFileSync(file, 'utf8')
    : spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' }).stdout
  return list.split(/\s/).filter(Boolean).map(Number)
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/**
 * Two real servers: a primary, and a standby that follows it on a line of its own. The primary can be lost, and the standby takes over.
 *
 * @module
 */
import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../../express-middleware/test/listening.js'
import { type PostgresProxy, proxyBefore } from '../postgres/support/proxy.js'
import { copyNewData, serverPlace } from '../postgres-files.js'
import { startServer, urlOf } from '../postgres-process.js'

/** A server of the pair, by its own address. */
export interface PairedServer {
  readonly url: string
  /** Ends every process of it at once. */
  kill(): Promise<void>
}

/** The servers, and what may become of them. */
export interface ServerPair {
  primary(): PairedServer
  /** The line from the standby to its primary. */
  readonly line: PostgresProxy
  /** Resolves once the standby has all that the primary has. */
  caughtUp(): Promise<void>
  /** The standby takes over. The old primary is left as it is: dead, or alive and alone. */
  promote(): Promise<void>
  /** A copy of the primary becomes its standby. Resolves once it follows: in step, if the pair is synchronous. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** Folders that a copy leaves out: the server makes them anew, and the log comes from the primary. */
const leftOut = ['pg_wal', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans', 'pg_dynshmem']
const notCopied = [...leftOut, 'postmaster.pid', 'postmaster.opts']

/** The processes are killed, not the machine: what a server gave to the system is there afterwards without `fsync` as well. */
const always = [
  'fsync=off',
  'unix_socket_directories=',
  'max_wal_size=64MB',
  'wal_keep_size=64MB',
  'wal_recycle=off',
  'wal_retrieve_retry_interval=100ms',
  'autovacuum=off',
]

/** Starts both. @param synchronous Whether a commit waits until the standby has it. */
export async function serverPair({ synchronous = true } = {}): Promise<ServerPair> {
  const place = serverPlace()
  const { directory, user } = place
  const settings = synchronous ? [...always, 'synchronous_standby_names=*'] : always
  const all = new Set<Data>()
  const dead = new Set<Data>()
  let folders = 0
  interface Data extends PairedServer {
    readonly data: string
  }

  const folder = () => {
    folders += 1
    return join(directory, `data-${folders}`)
  }
  const start = async (data: string, more: readonly string[] = []): Promise<Data> => {
    const port = await freePort()
    const server = await startServer(place, { data, port, settings: [...settings, ...more] })
    const started: Data = {
      data,
      url: urlOf(port),
      async kill() {
        await server.end('SIGKILL')
        dead.add(started)
      },
    }
    all.add(started)
    return started
  }
  const own = (path: string) => {
    if (user !== undefined) chownSync(path, user.uid, user.gid)
  }
  const note = (data: string, name: string, text: string) => {
    writeFileSync(join(data, name), text)
    own(join(data, name))
  }
  const follow = async (data: string): Promise<Data> => {
    note(data, 'standby.signal', '')
    await line.pointAt(primary.url)
    const { port } = new URL(line.url)
    const follower = await start(data, [`primary_conninfo=host=127.0.0.1 port=${port} user=postgres`])
    await asAdmin(primary.url, async ask => {
      const wanted = synchronous ? 'sync' : 'async'
      const isThere = async () => (await ask('select sync_state from pg_stat_replication'))[0]?.sync_state === wanted
      while (!(await isThere())) await pause(20)
    })
    return follower
  }

  const first = folder()
  copyNewData(place, first)
  let primary = await start(first)
  // A third of the files: each failover copies and removes them.
  await asAdmin(primary.url, async ask => {
    for (const name of ['template0', 'template1']) {
      await ask(`alter database ${name} is_template false`)
      await ask(`drop database ${name}`)
    }
  })
  const line = await proxyBefore(primary.url)
  const second = folder()
  copyNewData(place, second)
  let standby = await follow(second)

  return {
    primary: () => primary,
    line,
    caughtUp: () =>
      asAdmin(primary.url, async ask => {
        const text = 'select replay_lsn = pg_current_wal_lsn() as is_there from pg_stat_replication'
        while ((await ask(text))[0]?.is_there !== true) await pause(20)
      }),
    async promote() {
      await asAdmin(standby.url, ask => ask('select pg_promote(true, 60)'))
      primary = standby
    },
    async renew() {
      const data = folder()
      mkdirSync(data, { mode: 0o700 })
      own(data)
      for (const name of leftOut) {
        mkdirSync(join(data, name), { mode: 0o700 })
        own(join(data, name))
      }
      await asAdmin(primary.url, async ask => {
        await ask(`select pg_backup_start('standby', true)`)
        const parts = readdirSync(primary.data).filter(name => !notCopied.includes(name))
        await promisify(execFile)('cp', ['-a', ...parts.map(name => join(primary.data, name)), data])
        const [label] = await ask('select labelfile from pg_backup_stop(false)')
        note(data, 'backup_label', String(label?.labelfile))
      })
      for (const each of dead) remove(each)
      standby = await follow(data)
    },
    async stop() {
      await line.close()
      for (const each of all) await each.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }

  function remove(server: Data): void {
    rmSync(server.data, { recursive: true, force: true })
    for (const list of [all, dead]) list.delete(server)
  }
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Runs statements of a person, which wait for no standby. */
export async function asAdmin<Result>(url: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=local' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(async (text, values = []) => (await client.query(text, [...values])).rows)
  } finally {
    await client.end().catch(() => {})
  }
}

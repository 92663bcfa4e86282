/**
 * A server that waits for a standby before it answers a commit. Where that wait is cancelled, the server warns and then answers as if all were
 * well: PostgreSQL, source of `SyncRepWaitForLSN` in syncrep.c.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate, type PostgresStore, postgresStore } from '../../src/postgres.js'
import type { Entry } from '../../src/store/store.js'
import { ownServer } from '../postgres-server.js'

/** A store on a server whose standby never answers, and what a person may do to its sessions. */
async function waitingServer(session = '') {
  const server = await ownServer()
  const pool = new pg.Pool({ connectionString: server.url, max: 4, options: `${session} -c application_name=ours` })
  const admin = new pg.Client({ connectionString: server.url, options: '-c synchronous_commit=local' })
  await admin.connect()
  onTestFinished(async () => {
    await admin.end()
    await pool.end()
    await server.stop()
  })
  await migrate(pool)
  const setStandby = async (name: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`)
    await admin.query('select pg_reload_conf()')
  }
  /** The session that waits for the standby, and what it has sent. */
  const waiting = async () =>
    (
      await admin.query<{ pid: number; query: string }>(
        `select pid, query from pg_stat_activity where application_name = 'ours' and wait_event = 'SyncRep'`,
      )
    ).rows[0]
  return {
    store: postgresStore(pool),
    setStandby,
    waiting,
    async cancel(pid: number) {
      await admin.query('select pg_cancel_backend($1)', [pid])
    },
  }
}

const entry: Entry = { body: '{}', due: null, list: null }

const writes = {
  write: (store: PostgresStore<unknown>, key: string) => store.write(key, entry, { id: key }),
  commit: (store: PostgresStore<unknown>, key: string) =>
    store.commit(
      key,
      async () => {},
      () => entry,
    ),
} as const

it.each([
  ['write', ''],
  ['write', '-c synchronous_commit=off'],
  ['commit', ''],
] as const)(
  '%s is answered once the standby has it, although the wait is cancelled again and again (%s)',
  async (name, session) => {
    const server = await waitingServer(session)
    await server.setStandby('nobody')
    let isAnswered = false
    let writing: Promise<unknown> = Promise.resolve()
    // The server takes up the setting a moment later: until then it answers at once.
    for (let key = 0; (await server.waiting()) === undefined; key += 1) {
      isAnswered = false
      writing = writes[name](server.store, `key-${key}`).finally(() => {
        isAnswered = true
      })
      while (!isAnswered && (await server.waiting()) === undefined) await pause(10)
    }
    const cancelled: string[] = []
    for (let times = 0; times < 3; times += 1) {
      const { pid, query } = (await server.waiting()) ?? { pid: 0, query: '' }
      cancelled.push(query.includes('pg_logical_emit_message') ? 'again' : 'first')
      await server.cancel(pid)
      // The wait is over when another one has begun: the first has another statement, and each stands at a later place of the log.
      await pause(20)
      while ((await server.waiting())?.query.includes('pg_logical_emit_message') !== true && !isAnswered)
        await pause(10)
      expect(isAnswered).toBe(false)
    }
    expect(cancelled).toEqual(['first', 'again', 'again'])
    await server.setStandby('')
    expect(await writing).toMatchObject({ kind: 'written', version: 1 })
  },
)

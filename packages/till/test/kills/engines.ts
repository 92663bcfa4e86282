/**
 * The engines: a real file of SQLite, and a real PostgreSQL behind a proxy.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import pg from 'pg'
import type { Store } from '../../src/store/store.js'
import { proxyBefore } from '../postgres/support/proxy.js'
import { ownServer } from '../postgres-server.js'
import { prepareMerchant, type ToldRow, toldRows } from './merchant.js'
import type { LifeOptions } from './messages.js'
import type { Act } from './points.js'

/** A store of its own, for lives that follow each other. */
export interface Ground {
  readonly store: LifeOptions['store']
  /** Runs something with the store opened here. */
  look<Result>(work: (store: Store<never>) => Promise<Result>): Promise<Result>
  /** The rows that the handler has written of a payment. */
  told(reference: string): Promise<readonly ToldRow[]>
  /** Does something to the database. Resolves when the process may go on. */
  strike(act: Act): Promise<void>
  /** Ends what a blow has left, such as a statement that is kept back. */
  settle(): Promise<void>
  end(): Promise<void>
}

/** A database that makes ground. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** Whether the database can be killed, and lines to it cut. */
  readonly isServer: boolean
  open(): Promise<Ground>
  end(): Promise<void>
}

export function sqliteEngine(): Engine {
  const directory = mkdtempSync(join(tmpdir(), 'tillkit-kills-'))
  let files = 0
  return {
    name: 'sqlite',
    isServer: false,
    async open() {
      files += 1
      const store = { engine: 'sqlite', file: join(directory, `shop-${files}.db`) } as const
      const { file } = store
      await prepareMerchant(store)
      return {
        store,
        told: reference => toldRows(store, reference),
        async look(work) {
          const store = sqliteStore(file) as unknown as Store<never>
          try {
            return await work(store)
          } finally {
            await store.close()
          }
        },
        strike: () => Promise.reject(new Error('There is no server.')),
        settle: async () => {},
        end: async () => {},
      }
    },
    end: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Starts a server. */
export async function postgresEngine(): Promise<Engine> {
  const server = await ownServer()
  const admin = new pg.Pool({ connectionString: server.url, max: 4 })
  admin.on('error', () => {})
  let schemas = 0
  let restarting: Promise<void> = Promise.resolve()
  let deaths = 0

  /** Kills the server and starts it again, after those who were first. @returns Resolves once it is dead. */
  const killServer = (): Promise<void> => {
    const killed = restarting.then(() => server.kill())
    restarting = killed.then(() => server.restart())
    return killed
  }
  /** Another lane may have killed the server meanwhile. */
  const persist = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries += 1) {
      await restarting
      try {
        return await work()
      } catch (error) {
        if (tries === 10) throw error
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
  }

  return {
    name: 'postgres',
    isServer: true,
    async open() {
      schemas += 1
      const schema = `kills_${schemas}`
      await persist(() => migrate(admin, { schema }))
      const direct = { engine: 'postgres', url: server.url, schema } as const
      await persist(() => prepareMerchant(direct))
      const proxy = await proxyBefore(server.url)
      return {
        told: reference => persist(() => toldRows(direct, reference)),
        store: { engine: 'postgres', url: proxy.url, schema },
        look: work =>
          persist(async () => {
            const store = postgresStore(admin, { schema }) as unknown as Store<never>
            try {
              return await work(store)
            } finally {
              await store.close()
            }
          }),
        async strike(act) {
          if (act === 'server') await killServer()
          else if (act === 'server-soon') {
            // In the middle of what comes next: a write takes a few milliseconds.
            deaths += 1
            setTimeout(() => void killServer(), deaths % 8)
          }
          // Every document has its reference, and only writes carry documents to the server.
          else if (act === 'cut-before') void proxy.cutAt('reference', 'before')
          else if (act === 'cut-after') void proxy.cutAt('reference', 'after')
          else if (act === 'cut-commit-before') void proxy.cutAt('commit', 'before')
          else if (act === 'cut-commit-after') void proxy.cutAt('commit', 'after')
          else if (act === 'cut-late' || act === 'cut-commit-late') {
            const cut = proxy.cutAt(act === 'cut-late' ? 'reference' : 'commit', 'late')
            void cut.then(() => setTimeout(() => proxy.deliver().catch(() => {}), 30))
          }
        },
        settle: () => proxy.deliver(),
        end: async () => {
          await proxy.close()
          await persist(() => admin.query(`drop schema if exists "${schema}" cascade`))
        },
      }
    },
    async end() {
      await restarting
      await admin.end()
      await server.stop()
    },
  }
}

/**
 * Fresh ground on the server of this run: a schema with tables.
 *
 * @module
 */

import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../../src/postgres.js'
import type { Entry } from '../../../src/store/store.js'

/** The address of the server of this run. */
export function serverUrl(): string {
  const server = inject('postgres')
  if ('missing' in server) throw new Error(server.missing)
  return server.url
}

/** A schema of its own, and pools on it. */
export interface Ground {
  readonly schema: string
  /** A pool for stores. Each call opens another one, as another process would. */
  pool(config?: pg.PoolConfig): pg.Pool
  /** Statements of the test itself. */
  readonly admin: pg.Pool
  /** Closes every pool, and drops the schema. */
  end(): Promise<void>
}

let grounds = 0

export async function freshGround({ url = serverUrl(), isMigrated = true } = {}): Promise<Ground> {
  grounds += 1
  const schema = `t${process.pid}_${Date.now().toString(36)}_${grounds}_${Math.random().toString(36).slice(2, 8)}`
  const pools: pg.Pool[] = []
  const pool = (config: pg.PoolConfig = {}) => {
    const opened = new pg.Pool({ connectionString: url, ...config })
    opened.on('error', () => {})
    pools.push(opened)
    return opened
  }
  const admin = pool({ max: 3 })
  if (isMigrated) await migrate(admin, { schema })
  return {
    schema,
    pool,
    admin,
    end: async () => {
      await admin.query(`drop schema if exists "${schema}" cascade`)
      await Promise.all(pools.filter(each => !each.ended && !each.ending).map(each => each.end()))
    },
  }
}

export const entry = (body: string, more: Partial<Entry> = {}): Entry => ({ body, due: null, list: null, ...more })

/** Resolves with the error that a call rejects with. */
export const errorOf = (call: Promise<unknown>): Promise<Error & { readonly code?: string }> =>
  call.then(
    value => {
      throw new Error(`It did not reject. It gave ${JSON.stringify(value)}.`)
    },
    error => error,
  )

/**
 * Opens a store in another process, for `storeConformance`.
 *
 * @module
 */
import pg from 'pg'
import { postgresStore } from '../../../src/postgres.js'

export function openStore({ url, schema }: { readonly url: string; readonly schema: string }) {
  const pool = new pg.Pool({ connectionString: url, max: 6 })
  const store = postgresStore(pool, { schema })
  return {
    ...store,
    close: async () => {
      await store.close()
      if (!pool.ending) await pool.end()
    },
  }
}

/**
 * Grounds for `storeConformance`: one for each driver.
 *
 * @module
 */
import type { StoreGround } from '../../../src/conformance.js'
import {
  type PostgresDriver,
  type PostgresStore,
  type PostgresStoreOptions,
  type PostgresTransaction,
  postgresStore,
} from '../../../src/postgres.js'
import { knexDriver, postgresJsDriver } from './drivers.js'
import { freshGround, type Ground, serverUrl } from './ground.js'

/** A way to a store on a ground. */
export interface Way {
  readonly open: (ground: Ground) => { readonly store: PostgresStore<unknown>; readonly end: () => Promise<void> }
  /** Whether the driver survives a connection that is lost. */
  readonly isSturdy: boolean
}

const withPool = (options: PostgresStoreOptions): Way => ({
  open: ({ pool, schema }) => {
    const opened = pool({ max: 8, application_name: schema })
    const store = postgresStore(opened, { schema, ...options })
    return { store: store as PostgresStore<unknown>, end: () => opened.end() }
  },
  isSturdy: true,
})

const withDriver = (make: typeof knexDriver | typeof postgresJsDriver, isSturdy: boolean): Way => ({
  open: ({ schema }) => {
    const { driver, end } = make(`${serverUrl()}?application_name=${schema}`)
    return { store: postgresStore(driver as PostgresDriver, { schema }), end }
  },
  isSturdy,
})

/** The ways, by name. */
export const ways: Readonly<Record<'pool' | 'unprepared' | 'postgres.js' | 'Knex', Way>> = {
  pool: withPool({}),
  unprepared: withPool({ prepared: false }),
  // A write of postgres.js 3.4.9 to a line that has just been cut throws outside of every promise, which ends the process:
  // https://github.com/porsager/postgres/issues/1208
  'postgres.js': withDriver(postgresJsDriver, false),
  Knex: withDriver(knexDriver, true),
}

/** Fresh ground with a table of the merchant. Other processes open its store with `program`, which `elsewhere.ts` becomes. */
export async function conformanceGround(
  { open, isSturdy }: Way,
  program?: string,
): Promise<StoreGround<PostgresTransaction<unknown>>> {
  const ground = await freshGround()
  const { schema, admin } = ground
  await admin.query(`create table "${schema}".rows (id text primary key, value text not null)`)
  const ends: (() => Promise<void>)[] = []
  const again = async () => {
    const { store, end } = open(ground)
    ends.push(end)
    return store
  }
  const disturb = async () => {
    const text = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = $1'
    await admin.query(text, [schema])
    // The sessions are over. The ends of their lines are read in the next turns, before a later call takes one of them.
    for (let turns = 0; turns < 3; turns += 1) await new Promise(resolve => setImmediate(resolve))
  }
  return {
    store: await again(),
    again,
    rows: {
      insert: async ({ run }, id, value) => {
        await run`select set_config('search_path', ${schema}, true)`
        await run`insert into rows (id, value) values (${id}, ${value})`
      },
      read: async id =>
        (await admin.query<{ value: string }>(`select value from "${schema}".rows where id = $1`, [id])).rows[0]?.value,
    },
    ...(isSturdy ? { disturb } : {}),
    ...(program === undefined ? {} : { elsewhere: { module: program, data: { url: serverUrl(), schema } } }),
    end: async () => {
      for (const end of ends) await end()
      await ground.end()
    },
  }
}

import type { Knex } from 'knex'
import type pg from 'pg'
import { expectTypeOf } from 'vitest'
import { type PostgresDriver, type PostgresTransaction, postgresStore } from '../../src/postgres.js'
import type { Store } from '../../src/store/store.js'

declare const pool: pg.Pool
declare const driver: PostgresDriver<Knex.Transaction>

// The handler gets the client of the pool, or what the driver gives.
const onPool = postgresStore(pool)
expectTypeOf(onPool.commit).parameter(1).parameter(0).toEqualTypeOf<PostgresTransaction<pg.PoolClient>>()
expectTypeOf(onPool).toExtend<Store<PostgresTransaction<pg.PoolClient>>>()
const onKnex = postgresStore(driver, { schema: 'shop' })
expectTypeOf(onKnex.commit).parameter(1).parameter(0).toEqualTypeOf<PostgresTransaction<Knex.Transaction>>()

// @ts-expect-error There is no such option.
postgresStore(pool, { prepare: false })
// @ts-expect-error A driver needs both functions.
postgresStore({ query: driver.query })

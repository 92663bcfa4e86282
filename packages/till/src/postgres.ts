/**
 * A store on PostgreSQL: `@tillkit/till/postgres`.
 *
 * @module
 */
export type { PostgresTransaction } from './postgres/commit.js'
export type {
  PostgresClient,
  PostgresDriver,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
  PostgresRow,
} from './postgres/driver.js'
export { type Migration, migrations, type SchemaOptions } from './postgres/migrations.js'
export { migrate, type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres/postgres-store.js'

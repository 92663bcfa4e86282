import type { Store } from '@tillkit/protocol'
import { type SqliteStore, type SqliteTransaction, sqliteStore } from '@tillkit/till/sqlite'

const store: SqliteStore = sqliteStore('shop.db', { lockTimeout: 5_000 })
const asStore: Store<SqliteTransaction> = store

const done = store.commit(
  'shop/7',
  async transaction => {
    await transaction.run`update orders set state = ${'paid'}, seen = ${true} where id = ${7n}`
    // @ts-expect-error a date is not bound as it is
    await transaction.run`update orders set at = ${new Date()}`
  },
  current => (current === undefined ? undefined : { body: '{}', due: null, list: null }),
)

export { asStore, done }

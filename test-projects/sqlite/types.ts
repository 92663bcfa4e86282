import { createTill, type Store } from '@tillkit/till'
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

// Without Express, and without its types.
const till = createTill({
  account: { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey: 'key' },
  store,
  address: 'https://shop.example/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: async ({ kind, payment }, { transaction }) => {
    await transaction.run`update orders set state = ${kind} where id = ${payment.reference}`
    // @ts-expect-error the transaction is that of the store
    transaction.client
  },
})
// @ts-expect-error a part has a key
till.return('basket-7', { amount: '3.00' })

export { asStore, done, till }

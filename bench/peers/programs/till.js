/** The till, whose handler writes the merchant's row in the store's transaction. */
import { createTill } from '@tillkit/till'
import { controlKey, customer, endpointId, login, prefix } from '../sale.js'

export async function open({ gateway, address, answer, pays, engine, url }) {
  const { store, insertOrder, markPaid, statements } = await engines[engine](url)
  const told = new Map()
  const till = createTill({
    account: { baseUrl: `${gateway}${prefix}`, endpointId, login, controlKey },
    store,
    address,
    returnTo: ({ reference }) => `/orders/${reference}`,
    onOutcome: async ({ kind, payment: { reference, amount } }, { transaction }) => {
      if (kind !== 'paid') throw new Error(`${reference} is ${kind}.`)
      await markPaid(transaction, reference, amount)
      told.get(reference)()
      told.delete(reference)
    },
  })
  const routes = till.express()
  answer((request, response) => routes(request, response, () => response.writeHead(404).end()))

  return {
    statements,
    async sell(reference) {
      const isTold = new Promise(resolve => told.set(reference, resolve))
      await insertOrder(reference)
      const { payment } = await till.pay({ reference, ...customer })
      pays(payment.orders[0].orderId)
      await isTold
    },
  }
}

const engines = {
  async memory() {
    const { memory } = await import('../../../packages/till/bench/engines/memory.js')
    const orders = new Map()
    return {
      store: memory(),
      insertOrder: async () => {},
      markPaid: async (_transaction, reference, amount) => orders.set(reference, { state: 'paid', amount }),
    }
  },
  async sqlite() {
    const [{ mkdtempSync, rmSync }, { tmpdir }, { join }, { sqliteStore }, { default: Database }] = await Promise.all([
      import('node:fs'),
      import('node:os'),
      import('node:path'),
      import('@tillkit/till/sqlite'),
      import('libsql'),
    ])
    const directory = mkdtempSync(join(tmpdir(), 'tillkit-bench-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    const file = join(directory, 'till.db')
    const shop = new Database(file)
    shop.exec('create table orders (id text primary key, state text not null, amount text)')
    shop.close()
    return {
      store: sqliteStore(file, { driver: 'libsql' }),
      insertOrder: async () => {},
      markPaid: ({ run }, reference, amount) =>
        run`insert into orders (id, state, amount) values (${reference}, 'paid', ${amount})`,
    }
  },
  async postgres(url) {
    const [{ migrate, postgresStore }, shop, { statements }] = await Promise.all([
      import('@tillkit/till/postgres'),
      import('../shop-table.js'),
      import('../statements.js'),
    ])
    const pool = await shop.shopPool(url)
    await migrate(pool)
    return {
      store: postgresStore(pool),
      insertOrder: reference => shop.insertOrder(pool, reference),
      markPaid: ({ run }, reference, amount) => run({ sql: shop.markPaid, parameters: [reference, amount] }),
      statements,
    }
  },
}

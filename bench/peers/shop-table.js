/** The merchant's own rows: a row for each order, made before the customer pays, and marked in the handler. */
import pg from 'pg'

/** Connections of each program. */
export const connections = 10

/** The pool of a program: all that it asks PostgreSQL goes through it. @param options More options of the pool. */
export async function shopPool(url, options = {}) {
  const pool = new pg.Pool({ connectionString: url, max: connections, ...options })
  // The server may stop before the last connection has said goodbye.
  pool.on('error', () => {})
  await pool.query('create table orders (id text primary key, state text not null, amount text)')
  return pool
}

/** Makes the row of an order. */
export const insertOrder = (pool, reference) =>
  pool.query({ name: 'order', text: "insert into orders (id, state) values ($1, 'new')", values: [reference] })

export const markPaid = "update orders set state = 'paid', amount = $2 where id = $1"

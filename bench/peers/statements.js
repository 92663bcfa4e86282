/** Counts the messages with SQL that this process sends to PostgreSQL, whichever library sends them by `pg`. */
import pg from 'pg'

let count = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function counted(...given) {
  count += 1
  return query.apply(this, given)
}

/** How many there were so far. */
export const statements = () => count

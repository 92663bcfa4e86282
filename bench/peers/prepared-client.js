/** A client of `pg` that prepares every statement with values once for each connection, as its callers would if they named them. */
import pg from 'pg'

const names = new Map()

export class PreparedClient extends pg.Client {
  query(text, values, callback) {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(text, values, callback)
    if (!names.has(text)) names.set(text, `statement-${names.size + 1}`)
    return super.query({ name: names.get(text), text, values }, callback)
  }
}

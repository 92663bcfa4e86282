/** Databases for merchants: one server for all, a database of its own for each. */
import { startServer } from '../../packages/till/bench/engines/postgres.js'

/** @returns `next()`, the address of a database that is empty; and `stop()`, which takes all of them away. */
export async function startDatabases() {
  const server = await startServer()
  const pool = server.pool(1)
  const { rows } = await pool.query(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit')",
  )
  const lax = rows.filter(({ setting }) => setting !== 'on').map(({ name }) => name)
  if (lax.length > 0) throw new Error(`The server of the measurement has ${lax.join(' and ')} off.`)
  let last = 0
  return {
    async next() {
      const name = `peer_${process.pid}_${++last}`
      await pool.query(`create database ${name}`)
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href
    },
    async stop() {
      for (let nth = 1; nth <= last; nth += 1) await pool.query(`drop database peer_${process.pid}_${nth} with (force)`)
      await pool.end()
      await server.stop()
    },
  }
}

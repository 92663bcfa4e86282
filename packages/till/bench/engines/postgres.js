import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { migrate, postgresStore } from '@tillkit/till/postgres'
import pg from 'pg'

/** PostgreSQL, each store on tables of its own: `coalesced` on a pool of ten connections, `single` on one of twenty. */
export const postgres = {
  name: 'PostgreSQL',
  atLeast: { 64: 2 },
  async open() {
    const server = await startServer()
    const pools = [server.pool(10), server.pool(20)]
    const [first, second] = pools
    await migrate(first, { schema: 'coalesced' })
    await migrate(second, { schema: 'single' })
    const coalesced = postgresStore(first, { schema: 'coalesced' })
    const single = postgresStore(second, { schema: 'single', writesPerCommit: 1, handlers: 1 })
    return {
      coalesced,
      single,
      async close() {
        await Promise.all([coalesced.close(), single.close()])
        for (const schema of ['coalesced', 'single']) await first.query(`drop schema ${schema} cascade`)
        await Promise.all(pools.map(pool => pool.end()))
        await server.stop()
      },
    }
  },
}

/** The server of `DATABASE_URL`, or one of the system's in a temporary directory. */
export async function startServer() {
  const file = path => fileURLToPath(new URL(path, import.meta.url))
  const loader = file('../../../../scripts/source-loader.js')
  const flags = ['--conditions=@tillkit/source', '--import', loader, file('../../test/serve-postgres.ts')]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return {
    url,
    // The server may stop before the last connection has said goodbye.
    pool: max => new pg.Pool({ connectionString: url, max }).on('error', () => {}),
    async stop() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

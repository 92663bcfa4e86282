/** PostgreSQL beside pgbench, and the queries that everything else waits for. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate, postgresStore } from '@tillkit/till/postgres'
import { median } from '../../../../bench/median.js'
import { startServer } from '../engines/postgres.js'
import { livesPerSecond } from '../lives.js'

const server = await startServer()
const pool = server.pool(10)
const schemaOf = async name => {
  await migrate(pool, { schema: name })
  return name
}

export const rows = [await besidePgbench(), ...(await dueAmongAMillion()), await hotDocument()]

await pool.end()
await server.stop()

/** The same two statements, an insert and an update after it, by a client in C with a connection for each of 64 callers. */
async function besidePgbench() {
  const schema = await schemaOf('lives')
  const store = postgresStore(pool, { schema })
  const directory = mkdtempSync(join(tmpdir(), 'tillkit-bench-'))
  const script = join(directory, 'life.sql')
  const body = JSON.stringify({ attempt: 'x'.repeat(1_486) })
  writeFileSync(
    script,
    `\\set n random(1, 9000000000000000)
insert into ${schema}.documents (key, version, write_id, due, body) values ('pgbench/' || :n, 1, 'a' || :n, 1800000000000, '${body}') on conflict (key) do nothing;
update ${schema}.documents set version = 2, write_id = 'b' || :n, body = '${body}' where key = 'pgbench/' || :n and write_id = 'a' || :n;
`,
  )
  const [ours, theirs] = [[], []]
  for (let round = -1; round < 7; round++) {
    const lives = await livesPerSecond(store, { callers: 64, milliseconds: 2_000 })
    const transactions = await pgbench(script)
    if (round < 0) continue
    ours.push(lives)
    theirs.push(transactions)
  }
  rmSync(directory, { recursive: true })
  await store.close()
  return {
    name: 'PostgreSQL, 64 callers',
    against: 'times the lives of pgbench with 64 connections and the same two statements, prepared',
    ratio: median(ours.map((lives, round) => lives / theirs[round])),
    atLeast: 1.5,
    perSecond: { coalesced: median(ours), pgbench: median(theirs) },
  }
}

async function pgbench(script) {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const places = versions.map(version => `/usr/lib/postgresql/${version}/bin/pgbench`)
  const program = places.find(existsSync) ?? 'pgbench'
  const flags = ['-n', '-M', 'prepared', '-c', '64', '-j', '2', '-T', '2', '-f', script, server.url]
  const { stdout } = await promisify(execFile)(program, flags)
  return Number(/^tps = ([\d.]+)/m.exec(stdout)[1])
}

/** Runs the statement of `take`, with its plan, and rolls it back: 100 of 10,000 that are due among a million documents. */
async function dueAmongAMillion() {
  const schema = await schemaOf('million')
  await pool.query(`insert into ${schema}.documents (key, version, write_id, due, body)
    select 'd/' || n, 1, 'x', case when n % 100 = 0 then n else 9000000000000000 end, '{}' from generate_series(1, 1000000) n`)
  const statements = []
  const explaining = {
    query: (text, parameters) => pool.query(text, parameters).then(result => result.rows),
    transaction: async work => {
      const client = await pool.connect()
      try {
        return await work(async (text, parameters) => {
          await client.query('begin')
          const { rows } = await client.query(`explain (analyze, format json) ${text}`, parameters)
          await client.query('rollback')
          statements.push(rows[0]['QUERY PLAN'][0])
          return [{ at: 0 }]
        })
      } finally {
        client.release()
      }
    },
  }
  const store = postgresStore(explaining, { schema })
  const times = async () => {
    statements.length = 0
    for (let run = 0; run < 31; run++) await store.take({ limit: 100, hold: 60_000 })
    return median(statements.map(plan => plan['Execution Time']))
  }
  const fresh = await times()
  await pool.query(`vacuum analyze ${schema}.documents`)
  const analyzed = await times()
  const scans = [...new Set(JSON.stringify(statements[0]).match(/documents_\w+|Seq Scan/g))].join(', ')
  await store.close()
  return [
    ['just written', fresh],
    ['analyzed', analyzed],
  ].map(([when, ratio]) => ({
    name: `PostgreSQL, take of 100 of 10,000 due among 1,000,000 documents, ${when}`,
    against: `ms in the server, by ${scans}`,
    ratio,
    atMost: 5,
  }))
}

/** One document, eight writers that merge and write again. */
async function hotDocument() {
  const schema = await schemaOf('hot')
  const store = postgresStore(pool, { schema })
  const wins = Array.from({ length: 8 }, () => 0)
  const start = performance.now()
  const write = async writer => {
    let { stored } = await store.read('hot')
    for (let round = 0; performance.now() - start < 5_000; round++) {
      const entry = { body: String(stored?.version ?? 0), due: null, list: null }
      const id = `${writer}/${round}`
      const written = await store.write('hot', entry, { after: stored?.writeId, id })
      stored = written.kind === 'conflict' ? written.current : { version: written.version, writeId: id }
      if (written.kind === 'written') wins[writer] += 1
    }
  }
  await Promise.all(wins.map((_, writer) => write(writer)))
  const seconds = (performance.now() - start) / 1_000
  await store.close()
  return {
    name: 'PostgreSQL, one document that eight writers write',
    against: 'times the writes of the busiest that the last of them has',
    ratio: Math.min(...wins) / Math.max(...wins),
    atLeast: 0.9,
    perSecond: { writes: wins.reduce((sum, each) => sum + each, 0) / seconds },
  }
}

/**
 * `pnpm bench`: measures the till beside the least that a sale takes, and beside its peers; `--write` puts the results into
 * bench/BENCHMARKS.md. Names of sections on the command line leave out the others.
 */
import { writeReport } from '../report.js'

const method = `One **sale**: a hosted form is opened, the customer pays, the gateway calls back, status is asked, the merchant's row is written, the
callback is answered. Each program is a process of its own, its **merchant**; the gateway is another one, on bare sockets, and gives each the
same messages. Callers begin the next sale once the row of the last one is written. Merchants run in turn: 5 rounds
of 1,000 sales or 10 seconds to warm up, and 11 rounds of a second; each ratio is the median of the ratios of the rounds. CPU time is that of the merchant's process, its
threads and garbage collector included. PostgreSQL is one server in a temporary directory, with \`fsync\` and \`synchronous_commit\` on;
each merchant has a database of its own and a pool of ten connections. On PostgreSQL the merchant inserts its row before the sale and marks it
in the handler, on SQLite it inserts it in the handler, in memory it is an entry of a map.

**The limit** is bare undici, bare \`node:http\`, SHA-1 and four writes. It keeps its sales in the process and parses, checks and
coalesces nothing but what the sale needs. It ran one by one and with writes that share a commit; the lower one counts. **DBOS Transact** has
two workflows for each sale, with a step each for the form, status and the row, and takes the callback by starting the second one; one
workflow that waits for the callback takes more statements. **By hand** is Express 5, undici and \`pg\`: it loses answers that were lost.`

const notes = `Statements are messages with SQL that \`pg\` sends, \`begin\` and \`commit\` among them. How long a commit takes is up to the disk.`

writeReport(new URL('./', import.meta.url), {
  sections: ['limit-memory', 'limit-sqlite', 'limit-postgres', 'throughput', 'statements', 'cold-start'],
  method,
  notes,
})

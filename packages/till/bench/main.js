/** `pnpm bench`: measures the stores; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `A **life of an attempt** is two durable writes of one document of 1.5 kB: it is made, and written once more. Each
caller lives one life after the other. **Coalesced** is the store as it is by default; **one by one** is the same store with each write
in a commit of its own. The two run in turn in one process, in 15 rounds of 400 ms; each ratio is the median of the ratios of the rounds.
The delay of the event loop is that of \`monitorEventLoopDelay\` with a resolution of 1 ms, whose own timer is part of it, in 7 rounds of
1.5 s, each beside as long a time in which nothing is done. PostgreSQL is a server in a temporary directory, with \`fsync\` on; the two
clients of a comparison with **pgbench** run in turn, in 7 rounds of 2 s. \`till.client\` and the client run in turn in one process, as the
peers of the client do in its own report, and callbacks are measured as those of the middleware are, with a gateway in the process that
answers at once. Each of these callbacks is about a payment of its own, whose form was opened before. How a sale of the till compares with
the least that it takes, and with other ways to take it, is in bench/BENCHMARKS.md.`

const notes = `How long a commit takes is up to the disk: it ends when the disk says that the bytes are safe. A machine whose disk only says so, or
one that is busy with something else, gives other figures a second, and another ratio as well.`

writeReport(new URL('./', import.meta.url), {
  sections: ['lives', 'event-loop', 'postgres', 'till', 'client', 'callbacks', 'state', 'lost-callback'],
  method,
  notes,
})
